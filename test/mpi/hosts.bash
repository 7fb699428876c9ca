# SPDX-License-Identifier: BSD-3-Clause
# For scripts whose ranks run on several hosts, all of them this machine under different names. After cases.bash.

if ! unshare --uts hostname n00 2>/dev/null && ! unshare --map-root-user --uts hostname n00 2>/dev/null; then
    echo "skipped: this system does not permit host names of its own to a process (unshare --uts)"
    exit 77
fi
# Open MPI 4.1 takes the first line, 5.0 the second.
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$here/fake_node OMPI_MCA_plm_rsh_no_tree_spawn=1
export PRTE_MCA_plm=ssh PRTE_MCA_plm_ssh_agent=$here/fake_node PRTE_MCA_plm_ssh_no_tree_spawn=1
# Under --map-root-user the daemons run as root in their own eyes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# never_waits COMMAND...: who waits for what never comes does so each time; processes that start late look like that now
# and then, where others have the machine. So the job runs up to three times, until none of its ranks has waited.
never_waits() {
    local status attempt attempted
    attempted=$(mktemp)
    for attempt in 1 2 3; do
        status=0
        "$@" >"$attempted" 2>&1 || status=$?
        grep -aq 'FAILED: .* waited for ' "$attempted" || break
    done
    cat "$attempted"
    rm "$attempted"
    return $status
}
