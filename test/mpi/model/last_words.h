/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank was doing, said when it hangs or crashes. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_LAST_WORDS_H
#define COLL_TOPO_TEST_MPI_MODEL_LAST_WORDS_H

/* `seconds`: how long a group of calls may take. */
void last_words_open(int seconds);
/* From now on this is what the rank is doing, in the time left. */
void last_words_begin(const char* origin, const char* text);
/* The rank is done with it; the time begins anew. */
void last_words_end(void);

#endif
