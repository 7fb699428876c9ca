/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An accelerator for Open MPI 5.0 and 6.0 without one: `--mca accelerator unreadable`. The memory of its only device is
 * mapped twice. Addresses of the first mapping are those of the device; whoever reads or writes there, the processor or
 * the kernel on its behalf, is stopped. The functions by which Open MPI has the device copy use the second.
 */
#include "ompi_config.h"

#include "opal/constants.h"
#include "opal/mca/accelerator/accelerator.h"
#include "opal/mca/accelerator/base/base.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 4096 };
static const size_t size_of_memory = (size_t)1 << 30;

static char *device, *usable;
/* Everything is given back before the memory begins anew. */
static size_t taken, blocks;

static bool is_of_device(const void* address) {
    return device != NULL && (const char*)address >= device && (const char*)address < device + size_of_memory;
}

static void* usable_address(const void* address) {
    return is_of_device(address) ? usable + ((const char*)address - device) : (void*)address;
}

static int check_address(const void* address, int* number, uint64_t* flags) {
    *flags = 0;
    *number = is_of_device(address) ? 0 : MCA_ACCELERATOR_NO_DEVICE_ID;
    return is_of_device(address);
}

static int create_stream(int number, opal_accelerator_stream_t** stream) {
    (void)number;
    *stream = OBJ_NEW(opal_accelerator_stream_t);
    return OPAL_SUCCESS;
}

#if OMPI_MAJOR_VERSION > 5
#define AND_WHETHER_SHARED , __attribute__((unused)) bool shared
#else
#define AND_WHETHER_SHARED
#endif

static int create_event(int number, opal_accelerator_event_t** event AND_WHETHER_SHARED) {
    (void)number;
    *event = OBJ_NEW(opal_accelerator_event_t);
    return OPAL_SUCCESS;
}

static int record_event(int number, opal_accelerator_event_t* event, opal_accelerator_stream_t* stream) {
    (void)number, (void)event, (void)stream;
    return OPAL_SUCCESS;
}

static int query_event(int number, opal_accelerator_event_t* event) {
    (void)number, (void)event;
    return OPAL_SUCCESS;
}

static int copy(int to, int from, void* target, const void* source, size_t size,
                opal_accelerator_transfer_type_t type) {
    (void)to, (void)from, (void)type;
    memmove(usable_address(target), usable_address(source), size);
    return OPAL_SUCCESS;
}

static int copy_by_stream(int to, int from, void* target, const void* source, size_t size,
                          opal_accelerator_stream_t* stream, opal_accelerator_transfer_type_t type) {
    (void)stream;
    return copy(to, from, target, source, size, type);
}

static int allocate(int number, void** address, size_t size) {
    (void)number;
    if (size > size_of_memory - taken) return OPAL_ERR_OUT_OF_RESOURCE;
    *address = device + taken;
    taken += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    blocks++;
    return OPAL_SUCCESS;
}

static int release(int number, void* address) {
    (void)number, (void)address;
    if (--blocks == 0) taken = 0;
    return OPAL_SUCCESS;
}

static int address_range(int number, const void* address, void** base, size_t* size) {
    (void)number, (void)address;
    *base = device;
    *size = size_of_memory;
    return OPAL_SUCCESS;
}

static int register_memory(int number, void* address, size_t size) {
    (void)number, (void)address, (void)size;
    return OPAL_SUCCESS;
}

static int forget_memory(int number, void* address) {
    (void)number, (void)address;
    return OPAL_SUCCESS;
}

static int get_device(int* number) {
    *number = 0;
    return OPAL_SUCCESS;
}

static int no_bus(int number, opal_accelerator_pci_attr_t* attributes) {
    (void)number, (void)attributes;
    return OPAL_ERR_NOT_SUPPORTED;
}

static int no_access(int* access, int one, int other) {
    (void)one, (void)other;
    *access = 0;
    return OPAL_SUCCESS;
}

static int buffer_number(int number, const void* address, opal_accelerator_buffer_id_t* buffer) {
    (void)number, (void)address;
    *buffer = 1;
    return OPAL_SUCCESS;
}

#if OMPI_MAJOR_VERSION > 5
static int wait_for_stream(opal_accelerator_stream_t* stream) {
    (void)stream;
    return OPAL_SUCCESS;
}

static int allocate_by_stream(int number, void** address, size_t size, opal_accelerator_stream_t* stream) {
    (void)stream;
    return allocate(number, address, size);
}

static int release_by_stream(int number, void* address, opal_accelerator_stream_t* stream) {
    (void)stream;
    return release(number, address);
}

static bool shares_memory(void) {
    return false;
}

static int number_of_devices(int* number) {
    *number = 1;
    return OPAL_SUCCESS;
}

/* Open MPI frees the name. */
static void describe_memory(ompi_memkind_t* kind) {
    kind->im_name = strdup("unreadable");
    kind->im_no_restrictors = false;
    kind->im_num_restrictors = 0;
}

static int bandwidth(int number, float* bytes) {
    (void)number;
    *bytes = 1;
    return OPAL_SUCCESS;
}
#endif

static opal_accelerator_base_module_t functions = {.check_addr = check_address,
                                                   .create_stream = create_stream,
                                                   .create_event = create_event,
                                                   .record_event = record_event,
                                                   .query_event = query_event,
                                                   .mem_copy_async = copy_by_stream,
                                                   .mem_copy = copy,
                                                   .mem_move = copy,
                                                   .mem_alloc = allocate,
                                                   .mem_release = release,
                                                   .get_address_range = address_range,
                                                   .host_register = register_memory,
                                                   .host_unregister = forget_memory,
                                                   .get_device = get_device,
                                                   .get_device_pci_attr = no_bus,
                                                   .device_can_access_peer = no_access,
#if OMPI_MAJOR_VERSION > 5
                                                   .sync_stream = wait_for_stream,
                                                   .wait_event = record_event,
                                                   .mem_move_async = copy_by_stream,
                                                   .mem_alloc_stream = allocate_by_stream,
                                                   .mem_release_stream = release_by_stream,
                                                   .is_ipc_enabled = shares_memory,
                                                   .num_devices = number_of_devices,
                                                   .get_mem_bw = bandwidth,
                                                   .get_memkind = describe_memory,
#endif
                                                   .get_buffer_id = buffer_number};

static opal_accelerator_base_module_t* begin(void) {
    const int memory = memfd_create("device", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, (off_t)size_of_memory) != 0) return NULL;
    device = mmap(NULL, size_of_memory, PROT_NONE, MAP_SHARED, memory, 0);
    usable = mmap(NULL, size_of_memory, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    return device != MAP_FAILED && usable != MAP_FAILED ? &functions : NULL;
}

static void end(opal_accelerator_base_module_t* module) {
    (void)module;
}

extern opal_accelerator_base_component_t mca_accelerator_unreadable_component;
__attribute__((visibility("default"))) opal_accelerator_base_component_t mca_accelerator_unreadable_component = {
    .base_version = {OPAL_ACCELERATOR_BASE_VERSION_1_0_0, .mca_component_name = "unreadable",
                     MCA_BASE_MAKE_VERSION(component, 1, 0, 0)},
    .base_data = {MCA_BASE_METADATA_PARAM_NONE},
    .accelerator_init = begin,
    .accelerator_finalize = end};
