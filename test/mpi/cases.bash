# SPDX-License-Identifier: BSD-3-Clause
# For scripts that run several cases and count them. Source it; end with `finish`.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${abs_top_builddir:-$PWD}
programs=$build/test/mpi
run=$here/run
topologies=$here/topology
# The major number of the Open MPI in use, also for test/mpi/run.
export OPEN_MPI_MAJOR=${OPEN_MPI_MAJOR:-$(mpirun --version | sed -n 's/^mpirun (Open MPI) \([0-9]*\).*/\1/p')}
passed=0 failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# The case went well, or not: bad TITLE WHY [PROGRAM], with the failed checks that it printed, of one program in turn or
# of all, and the end.
good() {
    passed=$((passed + 1))
    echo "passed: $1"
}

bad() {
    failed=$((failed + 1))
    echo "FAILED: $1: $2"
    { grep -a -F "FAILED${3:+: $3:}" "$output" | head -n 6; tail -n 12 "$output"; } | sed 's/^/    /'
}

# passes TITLE COMMAND...: the command must end with status 0.
passes() {
    local title=$1 status
    shift
    "$@" >"$output" 2>&1 && good "$title" && return
    status=$?
    [ $status != 124 ] || status="124: it did not end in time"
    bad "$title" "exit status $status"
}

# pass_in_turn TITLE PROGRAMS SCALE COMMAND...: the command, $run with its options, starts these programs in one job, and
# each is a case. In a full run each has a job of its own. Of the jobs of a script the first sends its messages through
# Open MPI, two through the host's memory, two through Open MPI, and so on.
jobs_in_turn=0
pass_in_turn() {
    local title=$1 names=$2 scale=$3 name outcome status=0 failed_before=$failed host_memory
    shift 3
    if [ "$scale" = --full ]; then
        for name in $names; do passes "$name, $title" "$@" "$programs/$name" "$scale"; done
        return
    fi
    jobs_in_turn=$((jobs_in_turn + 1))
    host_memory=${OMPI_MCA_coll_topo_host_memory:-$((jobs_in_turn / 2 % 2))}
    OMPI_MCA_coll_topo_host_memory=$host_memory "$1" -p "${@:2}" "$programs/in_turn" "${names// /,}" "$scale" \
        >"$output" 2>&1 || status=$?
    for name in $names; do
        # Not from the beginning of the line: what mpirun of Open MPI 5.0 passes on has bytes of 0 between lines.
        outcome=$(grep -a -o "$name: [0-9]* checks on [0-9]* ranks, [0-9]* failed" "$output")
        case $outcome in
            '') bad "$name, $title" "it did not come to its end; exit status $status" "$name" ;;
            *", 0 failed") good "$name, $title" ;;
            *) bad "$name, $title" "$outcome" "$name" ;;
        esac
    done
    [ $status = 0 ] || [ $failed != "$failed_before" ] || bad "$names, $title" "exit status $status"
}

# fails TITLE COMMAND...: the command must end by itself, in time, with a status other than 0.
fails() {
    local title=$1 status=0
    shift
    "$@" >"$output" 2>&1 || status=$?
    case $status in
        0) bad "$title" "it ended without an error" ;;
        124 | 137) bad "$title" "it did not end in time" ;;
        *) good "$title" ;;
    esac
}

# says TITLE TEXT...: what the case before printed has every text. Line breaks do not count.
says() {
    local title=$1 all text
    shift
    all=$(tr -s '[:space:]' ' ' <"$output")
    for text in "$@"; do
        [[ $all == *"$text"* ]] || { bad "$title" "it does not say: $text"; return; }
    done
    good "$title"
}

# says_once TITLE TEXT: it has the text in one line, not more.
says_once() {
    local lines
    lines=$(grep -cF -- "$2" "$output")
    [ "$lines" = 1 ] && good "$1" || bad "$1" "it says $lines times: $2"
}

# says_nothing TITLE TEXT: it does not have the text.
says_nothing() {
    if grep -qF -- "$2" "$output"; then bad "$1" "it says: $2"; else good "$1"; fi
}

# The algorithms that serve a collective, as the component's parameter lists them.
algorithms() {
    OMPI_MCA_mca_base_component_path=$build/.libs:SYS_DEFAULT \
        ompi_info --param coll topo --level 9 --parsable |
        sed -n "s/^mca:coll:topo:param:coll_topo_$1_algorithm:enumerator:value:[0-9-]*://p" | grep -vx auto
}

# algorithms_for ALL TREES: fills `asked_for` with options that ask for algorithms for all collectives: ALL for those in
# which all ranks get the same share, and barrier, TREES for those that have a root.
algorithms_for() {
    local collective
    asked_for=()
    for collective in allreduce reduce_scatter reduce_scatter_block allgather allgatherv barrier; do
        asked_for+=(--mca "coll_topo_${collective}_algorithm" "$1")
    done
    for collective in bcast reduce gather scatter gatherv scatterv; do asked_for+=(--mca "coll_topo_${collective}_algorithm" "$2"); done
    for collective in scan exscan; do asked_for+=(--mca "coll_topo_${collective}_algorithm" prefix_doubling); done
    for collective in alltoall alltoallv alltoallw; do asked_for+=(--mca "coll_topo_${collective}_algorithm" a2at); done
}

finish() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ] && [ $passed != 0 ]
    exit
}
