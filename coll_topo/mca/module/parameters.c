/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/parameters.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/component.h"
#include "coll_topo/mca/module/parameter_rows.h"
#include "coll_topo/mca/module/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct coll_topo_parameters coll_topo_parameters;

#define FOR_EACH_ROW(row)                                                  \
    for (const struct coll_topo_parameter* row = coll_topo_parameter_rows; \
         row < coll_topo_parameter_rows + coll_topo_parameter_row_count; ++row)

/* How many parameters a row stands for. */
static int count(const struct coll_topo_parameter* row) {
    return strstr(row->name, COLL_TOPO_FOR_EACH_CALL) != NULL ? COLL_TOPO_SERVED : 1;
}

/* Those for each call are ints. */
static void* stored(const struct coll_topo_parameter* row, int call) {
    return (int*)row->storage + call;
}

static void set_default(const struct coll_topo_parameter* row, int call) {
    switch (row->type) {
        case MCA_BASE_VAR_TYPE_INT:
            *(int*)stored(row, call) = row->initial.integer;
            break;
        case MCA_BASE_VAR_TYPE_BOOL:
            *(bool*)row->storage = row->initial.truth;
            break;
        case MCA_BASE_VAR_TYPE_SIZE_T:
            *(size_t*)row->storage = row->initial.size;
            break;
        default:
            *(char**)row->storage = row->initial.text;
    }
}

static uint64_t add_to_digest(uint64_t digest, const struct coll_topo_parameter* row, int call) {
    switch (row->type) {
        case MCA_BASE_VAR_TYPE_INT:
            return coll_topo_digest_number(digest, (uint64_t)(*(int*)stored(row, call)));
        case MCA_BASE_VAR_TYPE_BOOL:
            return coll_topo_digest_number(digest, *(bool*)row->storage);
        case MCA_BASE_VAR_TYPE_SIZE_T:
            return coll_topo_digest_number(digest, *(size_t*)row->storage);
        default:
            return coll_topo_digest_text(digest, *(char**)row->storage);
    }
}

/* Open MPI's word for it, as tools read it from MPI_T_cvar_get_info. */
static mca_base_var_scope_t scope_of(enum coll_topo_agreement agreement) {
    switch (agreement) {
        case COLL_TOPO_SAME_MEANING:
            return MCA_BASE_VAR_SCOPE_ALL;
        case COLL_TOPO_ANY_VALUE:
            return MCA_BASE_VAR_SCOPE_LOCAL;
        default:
            return MCA_BASE_VAR_SCOPE_ALL_EQ;
    }
}

/* *enumerator is NULL where values have no names. */
static int make_enumerator(const struct coll_topo_parameter* row, int call, const char* name, char* help, size_t size,
                           mca_base_var_enum_t** enumerator) {
    *enumerator = NULL;
    if (row->list_values == NULL) {
        return OMPI_SUCCESS;
    }
    mca_base_var_enum_value_t* values = calloc((size_t)coll_topo_algorithms() + 2, sizeof *values);
    if (values == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    row->list_values(call, values, help, size);
    const int error = mca_base_var_enum_create(name, values, enumerator);
    free(values);
    return error;
}

/* The text with the name of the call where it has %s. */
static void fill_in(char* filled, size_t size, const char* text, int call) {
    const char* mark = strstr(text, COLL_TOPO_FOR_EACH_CALL);
    const int before = mark != NULL ? (int)(mark - text) : (int)strlen(text);
    snprintf(filled, size, "%.*s%s%s", before, text, mark != NULL ? coll_topo_collective_name(call) : "",
             mark != NULL ? mark + strlen(COLL_TOPO_FOR_EACH_CALL) : "");
}

static int register_one(const struct coll_topo_parameter* row, int call) {
    char name[64];
    char help[4096];
    mca_base_var_enum_t* enumerator = NULL;
    fill_in(name, sizeof name, row->name, call);
    fill_in(help, sizeof help, row->help, call);
    int error = make_enumerator(row, call, name, help, sizeof help, &enumerator);
    if (error == OMPI_SUCCESS) {
        const int index =
            mca_base_component_var_register(&mca_coll_topo_component.collm_version, name, help, row->type, enumerator,
                                            0, row->flags, row->level, scope_of(row->agreement), stored(row, call));
        error = index < 0 ? index : OMPI_SUCCESS;
    }
    if (enumerator != NULL) {
        OBJ_RELEASE(enumerator);
    }
    return error;
}

int coll_topo_parameters_register(void) {
    FOR_EACH_ROW(row) {
        for (int call = 0; call < count(row); ++call) {
            set_default(row, call);
            const int error = register_one(row, call);
            if (error != OMPI_SUCCESS) {
                return error;
            }
        }
    }
    return OMPI_SUCCESS;
}

/* The variable system itself checks values that have names. */
static bool in_range(const struct coll_topo_parameter* row) {
    return row->type != MCA_BASE_VAR_TYPE_INT || row->list_values != NULL || *(int*)row->storage >= row->minimum;
}

const char* coll_topo_parameters_check(void) {
    const char* wrong = NULL;
    FOR_EACH_ROW(row) {
        if (!in_range(row)) {
            set_default(row, 0);
            wrong = wrong != NULL ? wrong : row->name;
        }
    }
    return wrong;
}

const char* coll_topo_parameters_need_topology(void) {
    const char* rules = coll_topo_parameters.rules_file;
    if (coll_topo_parameters.require) {
        return "coll_topo_require";
    }
    if (coll_topo_parameters.settings.reproducible != COLL_TOPO_ANY_ORDER) {
        return "coll_topo_reproducible";
    }
    if (coll_topo_profile_wanted()) {
        return "coll_topo_profile";
    }
    return rules != NULL && rules[0] != '\0' ? "coll_topo_rules_file" : NULL;
}

bool coll_topo_profile_wanted(void) {
    const char* profile = coll_topo_parameters.profile;
    return profile != NULL && profile[0] != '\0' && strcmp(profile, "0") != 0;
}

uint64_t coll_topo_parameters_digest(uint64_t digest) {
    FOR_EACH_ROW(row) {
        for (int call = 0; row->agreement == COLL_TOPO_SAME_VALUE && call < count(row); ++call) {
            digest = add_to_digest(digest, row, call);
        }
    }
    return digest;
}
