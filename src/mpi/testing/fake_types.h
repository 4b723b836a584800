/* Datatypes of the fake MPI library: what the shim asks about them, and calls that send some. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Numbers of types; a handle follows from each. */
enum { DOUBLE, INTEGER, COMPLEX, ROWS, PAIRS, GRID, MARKED, TYPES };

#if defined(FAKE_OPEN_MPI)
char ompi_mpi_datatype_null[64];
static char fake_types[TYPES];
#define NO_TYPE ((uintptr_t)ompi_mpi_datatype_null)
#define TYPE(number) ((uintptr_t)&fake_types[number])
#elif defined(FAKE_STANDARD_ABI)
#define NO_TYPE ((uintptr_t)0x200)
#define TYPE(number) ((uintptr_t)(0x210 + (number)))
#else
#define NO_TYPE ((uintptr_t)0x0c000000)
#define TYPE(number) ((uintptr_t)(0x4c000800 + (number)))
#endif

static const char* const type_names[TYPES] = {"MPI_DOUBLE", "MPI_INT", "MPI_C_FLOAT_COMPLEX"};
static const int type_sizes[TYPES] = {8, 4, 8, 80, 12, 800, 80};
/* What each is made of: at most two others. */
static const int type_parts[TYPES][2] = {{-1, -1},          {-1, -1},   {-1, -1},  {DOUBLE, -1},
                                         {DOUBLE, INTEGER}, {ROWS, -1}, {ROWS, -1}};
/* One of which the program says that 16 bits of each number are protected:
 * src/mpi/content/type_marks.hpp.
 */
static const int marked_integers[3] = {2, 1, 0};
static const int64_t marked_addresses[2] = {0, 0x4B554D4900000010};
static int descriptions;

static int number_of(uintptr_t handle) {
    /* MPICH's handles are integers: what else is in the word means nothing. */
    if (HANDLE_BYTES == 4) handle = (uint32_t)handle;
    if (handle == NO_TYPE) abort(); /* As MPI libraries do. */
    return (int)(handle - TYPE(0));
}
static int parts_of(uintptr_t handle) {
    const int* parts = type_parts[number_of(handle)];
    return (parts[0] >= 0) + (parts[1] >= 0);
}

int PMPI_Type_size_x(uintptr_t type, int64_t* size) {
    *size = type_sizes[number_of(type)];
    return 0;
}
int PMPI_Type_get_name(uintptr_t type, char* name, int* length) {
    strcpy(name, type_names[number_of(type)]);
    *length = (int)strlen(name);
    return 0;
}
static void put_parts(uintptr_t type, int* integers, int64_t* addresses, void* types) {
    if (number_of(type) == MARKED) {
        memcpy(integers, marked_integers, sizeof marked_integers);
        memcpy(addresses, marked_addresses, sizeof marked_addresses);
    }
    for (int i = 0; i < parts_of(type); ++i) {
        const uintptr_t part = TYPE(type_parts[number_of(type)][i]);
        memcpy((char*)types + i * HANDLE_BYTES, &part, HANDLE_BYTES);
    }
    ++descriptions;
}
#if defined(FAKE_OPEN_MPI)
int PMPI_Type_get_envelope(uintptr_t type, int* integers, int* addresses, int* types, int* how) {
    *how = 0;
    *integers = number_of(type) == MARKED ? 3 : 0;
    *addresses = number_of(type) == MARKED ? 2 : 0;
    *types = parts_of(type);
    return 0;
}
int PMPI_Type_get_contents(uintptr_t type, int most_integers, int most_addresses, int most_types,
                           int* integers, int64_t* addresses, void* types) {
    (void)most_integers;
    (void)most_addresses;
    (void)most_types;
    put_parts(type, integers, addresses, types);
    return 0;
}
#else
int PMPI_Type_get_envelope_c(uintptr_t type, int64_t* integers, int64_t* addresses, int64_t* counts,
                             int64_t* types, int* how) {
    *counts = *how = 0;
    *integers = number_of(type) == MARKED ? 3 : 0;
    *addresses = number_of(type) == MARKED ? 2 : 0;
    *types = parts_of(type);
    return 0;
}
int PMPI_Type_get_contents_c(uintptr_t type, int64_t most_integers, int64_t most_addresses,
                             int64_t most_counts, int64_t most_types, int* integers,
                             int64_t* addresses, int64_t* counts, void* types) {
    (void)most_integers;
    (void)most_addresses;
    (void)most_counts;
    (void)most_types;
    (void)counts;
    put_parts(type, integers, addresses, types);
    return 0;
}
#endif
int PMPI_Type_free(void* type) {
    uintptr_t handle = 0;
    memcpy(&handle, type, HANDLE_BYTES);
    printf("free %d\n", number_of(handle));
    return 0;
}
WEAK(MPI_Type_free, PMPI_Type_free);
uintptr_t PMPI_Type_f2c(int type) { return type < 0 ? NO_TYPE : TYPE(type); }
/* For the probe, which does not know the handles. */
uintptr_t fake_type(int number) { return PMPI_Type_f2c(number); }
int fake_descriptions(void) { return descriptions; }

/* As the provider asks for each message: the message of the call, then another one. */
static void print_contents(uint64_t bytes) {
    for (int i = 0; i < 2; ++i) {
        const struct sent_content content = shim_table()->content_of_message(bytes);
        printf("%s %d", content.function, content.element);
        if (content.allows_errors) printf(" protected %d", content.protected_bits);
        printf(i == 0 ? ", " : "\n");
    }
}
int PMPI_Isend(const void* buffer, int count, uintptr_t type, int target, int tag, uintptr_t world,
               void* request) {
    (void)buffer;
    (void)target;
    (void)tag;
    (void)world;
    /* A message of something else that is under way. */
    shim_table()->content_of_message(1);
    print_contents((uint64_t)count * type_sizes[number_of(type)]);
    put_request(request);
    return 0;
}
WEAK(MPI_Isend, PMPI_Isend);
void pmpi_isend_(const void* buffer, int* count, int* type, int* target, int* tag, int* world,
                 int* request, int* error) {
    char in_c[HANDLE_BYTES];
    *error = PMPI_Isend(buffer, *count, PMPI_Type_f2c(*type), *target, *tag, *world, in_c);
    *request = next_request - 1;
}
WEAK(mpi_isend_, pmpi_isend_);
int PMPI_Bcast(void* buffer, int count, uintptr_t type) {
    (void)buffer;
    (void)count;
    (void)type;
    print_contents(3);
    return 0;
}
WEAK(MPI_Bcast, PMPI_Bcast);
int PMPI_Ibcast(void* buffer, int count, uintptr_t type) { return PMPI_Bcast(buffer, count, type); }
WEAK(MPI_Ibcast, PMPI_Ibcast);
