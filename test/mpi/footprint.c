/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/footprint.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int entries(const char* path) {
    DIR* directory = opendir(path);
    int number = 0;
    if (directory == NULL) return 0;
    while (readdir(directory) != NULL) number++;
    closedir(directory);
    return number;
}

static int shared_mappings(void) {
    FILE* maps = fopen("/proc/self/maps", "r");
    char line[512];
    int number = 0;
    if (maps == NULL) return 0;
    while (fgets(line, sizeof line, maps) != NULL) {
        char permissions[8] = "";
        if (sscanf(line, "%*s %7s", permissions) == 1 && strlen(permissions) == 4 && permissions[3] == 's') number++;
    }
    fclose(maps);
    return number;
}

static size_t private_memory(void) {
    FILE* statm = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (statm == NULL) return 0;
    if (fscanf(statm, "%*u %*u %*u %*u %*u %lu", &pages) != 1) pages = 0;
    fclose(statm);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

struct footprint footprint_now(void) {
    malloc_trim(0); /* what is free is none of its footprint */
    const struct mallinfo2 heap = mallinfo2();
    return (struct footprint){heap.uordblks + heap.hblkhd, private_memory(), entries("/proc/self/fd"),
                              shared_mappings()};
}

#define MOST(member) (left->member > right->member ? left->member : right->member)
#define LEAST(member) (left->member < right->member ? left->member : right->member)

struct footprint footprint_most(const struct footprint* left, const struct footprint* right) {
    return (struct footprint){MOST(heap_bytes), MOST(private_bytes), MOST(descriptors), MOST(mappings)};
}

struct footprint footprint_least(const struct footprint* left, const struct footprint* right) {
    return (struct footprint){LEAST(heap_bytes), LEAST(private_bytes), LEAST(descriptors), LEAST(mappings)};
}
