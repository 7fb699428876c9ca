// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/quiet.hpp"

#include "coll_topo/mpi_run/clock.hpp"

#include <time.h>
#include <algorithm>
#include <fstream>
#include <string>

namespace coll_topo::bench {

namespace {

constexpr long window_nanoseconds = 100'000'000;  // ten ticks of the kernel's accounting on each processor

struct ProcessorTime {
    double busy = 0;
    double all = 0;
};

/// Since boot, of all processors, in ticks: the first line of /proc/stat.
std::optional<ProcessorTime> processor_time() {
    std::ifstream file("/proc/stat");
    std::string label;
    double user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen;
    if (!(file >> label >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts >> stolen)) {
        return std::nullopt;
    }
    const double busy = user + nice + system + interrupts + soft_interrupts + stolen;
    return ProcessorTime{busy, busy + idle + waiting};
}

/// The load of this machine while this process sleeps; negative if it does not tell.
double load_of_one_window() {
    const auto before = processor_time();
    const timespec window{0, window_nanoseconds};
    nanosleep(&window, nullptr);
    const auto after = processor_time();
    if (!before || !after || after->all <= before->all) return -1;
    return (after->busy - before->busy) / (after->all - before->all);
}

}  // namespace

std::optional<double> wait_for_quiet(MPI_Comm communicator, double most_seconds) {
    const double begin = local_seconds();
    double load = 0;
    int again = 1;
    while (again != 0) {
        MPI_Barrier(communicator);
        const double own = load_of_one_window();
        MPI_Allreduce(&own, &load, 1, MPI_DOUBLE, MPI_MAX, communicator);
        again = load > quiet_load && local_seconds() - begin < most_seconds;
        MPI_Bcast(&again, 1, MPI_INT, 0, communicator);
    }
    return load < 0 ? std::nullopt : std::optional(load);
}

}  // namespace coll_topo::bench
