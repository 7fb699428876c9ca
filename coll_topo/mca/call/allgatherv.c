/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather with pieces of different sizes, which all ranks know: it runs a schedule of allgather. */
#include "coll_topo/mca/call/gathered_pieces.h"

#include "coll_topo/mca/call/planned_call.h"
#include "coll_topo/mca/module/collectives.h"

#include "ompi/communicator/communicator.h"

int coll_topo_allgatherv(const void* send_buffer, coll_topo_count send_count, struct ompi_datatype_t* send_type,
                         void* receive_buffer, coll_topo_counts receive_counts, coll_topo_displacements displacements,
                         struct ompi_datatype_t* receive_type, struct ompi_communicator_t* communicator,
                         mca_coll_base_module_t* base) {
    struct coll_topo_module* module = (struct coll_topo_module*)base;
    const int ranks = ompi_comm_size(communicator);
    const struct coll_topo_piece_list pieces =
        coll_topo_unequal_pieces(receive_buffer, receive_counts, displacements, receive_type);
    const size_t bytes = coll_topo_pieces_packed_size(&pieces, ranks);
    coll_topo_plan* plan = NULL;
    if (bytes == 0) {
        return OMPI_SUCCESS;
    }
    const int error = coll_topo_plan_call(module, communicator, COLL_TOPO_ALLGATHERV, bytes, 0, 1, &plan);
    if (error != OMPI_SUCCESS) {
        return error;
    }
    if (plan == NULL) {
        return module->previous_allgatherv(send_buffer, send_count, send_type, receive_buffer, receive_counts,
                                           displacements, receive_type, communicator,
                                           module->previous_allgatherv_module);
    }
    struct coll_topo_gathered_pieces transport;
    coll_topo_buffers buffers;
    void* const memory = coll_topo_temporary(module->plans, coll_topo_gathered_pieces_memory(ranks));
    if (memory == NULL) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    coll_topo_gathered_pieces_set(&transport, communicator, module->memory, send_buffer, send_count, send_type, &pieces,
                                  memory, &buffers);
    return coll_topo_run_call(module, COLL_TOPO_ALLGATHERV, plan, &transport.pml, &buffers);
}
