/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/last_words.h"

#include "test/mpi/session.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char words[640];
static size_t length;
static unsigned limit;

/* Ends the process, and with it the job. Other ranks have their say first. */
static void speak(int signal_number) {
    const ssize_t written = write(STDERR_FILENO, words, length);
    (void)written;
    if (signal_number == SIGALRM) sleep(2);
    signal(signal_number, SIG_DFL);
    if (signal_number == SIGALRM) _exit(124);
    raise(signal_number);
}

void last_words_open(int seconds) {
    const int fatal[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
    limit = (unsigned)seconds;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], speak);
}

void last_words_begin(const char* origin, const char* text) {
    const int used = snprintf(words, sizeof words, "rank %d of %d hangs or crashes in: %s: %s\n", session.rank,
                              session.ranks, origin, text);
    length = used < (int)sizeof words ? (size_t)used : sizeof words - 1;
    alarm(limit);
}

void last_words_end(void) {
    alarm(0);
    words[0] = '\0';
    length = 0;
}
