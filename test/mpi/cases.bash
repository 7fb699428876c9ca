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

# The case went well, or not: why, and of what it printed the failed checks and the end.
good() {
    passed=$((passed + 1))
    echo "passed: $1"
}

bad() {
    failed=$((failed + 1))
    echo "FAILED: $1: $2"
    { grep -F FAILED "$output" | head -n 6; tail -n 12 "$output"; } | sed 's/^/    /'
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
