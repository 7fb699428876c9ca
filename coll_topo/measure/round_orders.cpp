// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/round_orders.hpp"

#include "coll_topo/measure/deadline_requests.hpp"

#include <time.h>
#include <memory>

namespace coll_topo::bench {

namespace {

constexpr long nap_nanoseconds = 200'000;
constexpr std::size_t order_head = 4, report_head = 2;  // numbers before the lists

template <typename Number>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<int>() {
    return MPI_INT;
}
template <>
MPI_Datatype type_of<double>() {
    return MPI_DOUBLE;
}

/// To all ranks at once. What is sent stays in memory if one of them does not take it.
template <typename Number>
void send_all(std::vector<Number> numbers, const std::vector<int>& ranks, int tag, MPI_Comm communicator,
              double deadline) {
    auto kept = std::make_unique<std::vector<Number>>(std::move(numbers));
    std::vector<MPI_Request> requests(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        MPI_Isend(kept->data(), static_cast<int>(kept->size()), type_of<Number>(), ranks[i], tag, communicator,
                  &requests[i]);
    }
    bool all = true;
    for (MPI_Request& request : requests) {
        if (ends_before(request, deadline)) continue;
        give_up_send(request);
        all = false;
    }
    if (!all) static_cast<void>(kept.release());
}

template <typename Number>
bool receive(std::vector<Number>& numbers, int& from, int tag, MPI_Comm communicator) {
    int waits = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, communicator, &waits, &status) != MPI_SUCCESS || waits == 0) return false;
    int size = 0;
    MPI_Get_count(&status, type_of<Number>(), &size);
    numbers.resize(static_cast<std::size_t>(size));
    from = status.MPI_SOURCE;
    return MPI_Recv(numbers.data(), size, type_of<Number>(), from, tag, communicator, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

}  // namespace

void send_order(MPI_Comm communicator, const Order& order, const std::vector<int>& ranks, double deadline) {
    std::vector<int> numbers = {order.number, static_cast<int>(order.kind), order.round,
                                static_cast<int>(order.silent.size())};
    numbers.insert(numbers.end(), order.silent.begin(), order.silent.end());
    for (const auto& [rank, by] : order.passed_on) numbers.insert(numbers.end(), {rank, by});
    send_all(std::move(numbers), ranks, order_tag, communicator, deadline);
}

bool receive_order(MPI_Comm communicator, Order& order, int& from) {
    std::vector<int> numbers;
    if (!receive(numbers, from, order_tag, communicator)) return false;
    order = {numbers[0], static_cast<OrderKind>(numbers[1]), numbers[2]};
    const std::size_t lists = order_head + static_cast<std::size_t>(numbers[3]);
    order.silent.assign(numbers.begin() + order_head, numbers.begin() + static_cast<std::ptrdiff_t>(lists));
    for (std::size_t i = lists; i + 1 < numbers.size(); i += 2) {
        order.passed_on.emplace_back(numbers[i], numbers[i + 1]);
    }
    return true;
}

void send_report(MPI_Comm communicator, const Report& report, int rank, double deadline) {
    std::vector<double> numbers = {static_cast<double>(report.number), static_cast<double>(report.rank)};
    for (const auto& [index, seconds] : report.results) {
        numbers.insert(numbers.end(), {static_cast<double>(index), seconds});
    }
    send_all(std::move(numbers), {rank}, report_tag, communicator, deadline);
}

bool receive_report(MPI_Comm communicator, Report& report) {
    std::vector<double> numbers;
    int from = 0;
    if (!receive(numbers, from, report_tag, communicator)) return false;
    report = {static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
    for (std::size_t i = report_head; i + 1 < numbers.size(); i += 2) {
        report.results.emplace_back(static_cast<int>(numbers[i]), numbers[i + 1]);
    }
    return true;
}

void nap() {
    const timespec time{0, nap_nanoseconds};
    nanosleep(&time, nullptr);
}

}  // namespace coll_topo::bench
