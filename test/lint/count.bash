# SPDX-License-Identifier: BSD-3-Clause
# Counts checks. Source it; end with `finish`.
set -u

top=${abs_top_srcdir:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${abs_top_builddir:-$PWD}
passed=0 failed=0

# holds TITLE COMMAND...: the command must succeed; what it prints is shown if it does not.
holds() {
    local title=$1 said
    shift
    if said=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "passed: $title"
    else
        failed=$((failed + 1))
        echo "FAILED: $title"
        sed 's/^/    /' <<<"$said"
    fi
}

not() {
    ! "$@"
}

# detects TITLE COMMAND...: the command, a check of something wrong on purpose, must fail.
detects() {
    local title=$1
    shift
    holds "$title" not "$@"
}

finish() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ] && [ $passed != 0 ]
    exit
}
