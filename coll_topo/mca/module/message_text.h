/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of help-coll-topo.txt. From 6.0 on, Open MPI itself knows only the texts that it was built with. */
#ifndef COLL_TOPO_MCA_MESSAGE_TEXT_H
#define COLL_TOPO_MCA_MESSAGE_TEXT_H

#include <stdarg.h>

/* The text below [topic], framed by lines, with the arguments in it as of printf: memory to be freed. Where the file is
 * missing, which message it would be; NULL without memory. */
char* coll_topo_message_text(const char* topic, va_list arguments);

#endif
