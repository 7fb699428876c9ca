/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/message_text.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/component.h"

#include "opal/mca/installdirs/installdirs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "help-coll-topo.txt"
#define FRAME "--------------------------------------------------------------------------\n"

static FILE* open_in(const char* directory, size_t length) {
    char path[4096];
    const int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, directory, FILE_NAME);
    return size > 0 && (size_t)size < sizeof path ? fopen(path, "re") : NULL;
}

/* Beside the component, or where Open MPI has its own texts. */
static FILE* open_file(void) {
    Dl_info self;
    FILE* file = NULL;
    if (dladdr(&mca_coll_topo_component, &self) != 0 && self.dli_fname != NULL) {
        const char* const slash = strrchr(self.dli_fname, '/');
        file = slash != NULL ? open_in(self.dli_fname, (size_t)(slash - self.dli_fname)) : NULL;
    }
    if (file == NULL && opal_install_dirs.opaldatadir != NULL) {
        file = open_in(opal_install_dirs.opaldatadir, strlen(opal_install_dirs.opaldatadir));
    }
    return file;
}

/* Copies the lines below [topic]; whether there are any. */
static bool copy_section(FILE* file, const char* topic, FILE* text) {
    char *line = NULL, heading[128];
    size_t size = 0;
    bool inside = false, found = false;
    snprintf(heading, sizeof heading, "[%s]\n", topic);
    while (getline(&line, &size, file) >= 0) {
        if (line[0] == '[') {
            inside = strcmp(line, heading) == 0;
        } else if (inside && line[0] != '#') {
            fputs(line, text);
            found = true;
        }
    }
    free(line);
    return found;
}

/* The text as it stands in the file; NULL if it does not. */
static char* format_of(const char* topic) {
    char* text = NULL;
    size_t size = 0;
    FILE* const file = open_file();
    FILE* const copy = file != NULL ? open_memstream(&text, &size) : NULL;
    const bool found = copy != NULL && copy_section(file, topic, copy);
    if (file != NULL) {
        fclose(file);
    }
    if (copy == NULL || fclose(copy) != 0 || !found) {
        free(text);
        return NULL;
    }
    return text;
}

char* coll_topo_message_text(const char* topic, va_list arguments) {
    char *text = NULL, *format = format_of(topic);
    size_t size = 0;
    FILE* const framed = open_memstream(&text, &size);
    if (framed != NULL) {
        fputs(FRAME, framed);
        if (format != NULL) {
            vfprintf(framed, format, arguments);
        } else {
            fprintf(framed, "coll_topo: %s; the text of this message is in " FILE_NAME ", which is missing\n", topic);
        }
        fputs(FRAME, framed);
        if (fclose(framed) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(format);
    return text;
}
