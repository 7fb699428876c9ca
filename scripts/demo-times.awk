# SPDX-License-Identifier: BSD-3-Clause
# Three files of lines "COLLECTIVE BYTES bytes hash HASH MICROSECONDS us", of several runs each: a table of medians.
# Ends with status 1 if a result differs from that of the first run.

function median(list, values, count, i, j, value) {
    count = split(list, values, " ")
    for (i = 2; i <= count; ++i) {
        value = values[i] + 0
        for (j = i - 1; j >= 1 && values[j] + 0 > value; --j) values[j + 1] = values[j]
        values[j + 1] = value
    }
    return (values[int((count + 1) / 2)] + values[int(count / 2) + 1]) / 2
}

FNR == 1 { ++column }
{
    row = $1 " " $2
    if (!(row in hash)) {
        hash[row] = $5
        order[++rows] = row
    }
    if ($5 != hash[row]) different[row] = 1
    times[row, column] = times[row, column] " " $6
}

END {
    printf "%-21s %9s  %-16s  %12s %12s %12s\n", "collective", "bytes", "results", "topo", "tuned", "basic"
    for (i = 1; i <= rows; ++i) {
        row = order[i]
        split(row, name, " ")
        printf "%-21s %9d  %-16s", name[1], name[2], row in different ? "DIFFERENT" : "equal"
        for (column = 1; column <= 3; ++column) printf " %10.0fus", median(times[row, column])
        printf "\n"
        wrong += row in different
    }
    print ""
    if (wrong) print "RESULTS DIFFER in " wrong " of " rows " cases."
    else print "Results are equal in all " rows " cases."
    exit wrong > 0 || rows == 0
}
