/* Files by MPI-IO: nonblocking, collective and both, with requests that are waited for and tested.
   Arguments: a folder; "unshared" for no pointer that all ranks share. */
#include "check.h"

enum { kBlock = 100, kBlocks = 8 };

static int byte_of(int rank, int block, int index) {
    return (rank * 31 + block * 7 + index) & 0xFF;
}

/* Blocks of all ranks in turn. */
static MPI_File open_file(const char* folder, const char* name, int with_view) {
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_cb_write", "enable");
    MPI_Info_set(hints, "romio_cb_read", "enable");
    MPI_Info_set(hints, "cb_nodes", "1");
    CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file) ==
          MPI_SUCCESS);
    MPI_Info_free(&hints);
    if (with_view) {
        MPI_Datatype blocks;
        MPI_Type_vector(kBlocks, kBlock, kBlock * world_size, MPI_BYTE, &blocks);
        MPI_Type_commit(&blocks);
        MPI_File_set_view(file, (MPI_Offset)world_rank * kBlock, MPI_BYTE, blocks, "native",
                          MPI_INFO_NULL);
        MPI_Type_free(&blocks);
    }
    return file;
}

static void fill(unsigned char* data) {
    for (int i = 0; i < kBlocks * kBlock; ++i)
        data[i] = (unsigned char)byte_of(world_rank, i / kBlock, i % kBlock);
}

static void check(const unsigned char* data) {
    for (int i = 0; i < kBlocks * kBlock; ++i)
        CHECK(data[i] == byte_of(world_rank, i / kBlock, i % kBlock));
}

static void wait_for(MPI_Request* request, int by_testing) {
    int done = 0;
    MPI_Status status;
    if (by_testing)
        while (!done) MPI_Test(request, &done, &status);
    else
        MPI_Wait(request, &status);
    int count = -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == kBlocks * kBlock);
}

static void write_and_read_all(const char* folder, int by_testing) {
    unsigned char data[kBlocks * kBlock], back[kBlocks * kBlock];
    MPI_Request request;
    MPI_File file = open_file(folder, "all", 1);
    fill(data);
    MPI_File_iwrite_all(file, data, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    memset(back, 0, sizeof back);
    MPI_File_iread_at_all(file, 0, back, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    check(back);
    MPI_File_iwrite_at_all(file, 0, data, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    memset(back, 0, sizeof back);
    MPI_File_iread_all(file, back, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    check(back);
    MPI_File_close(&file);
}

/* By a pointer that all share: in any order, but each whole. */
static void use_shared_pointer(MPI_File file, int by_testing) {
    unsigned char data[kBlocks * kBlock], back[kBlocks * kBlock];
    MPI_Request request;
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    memset(data, world_rank + 1, sizeof data);
    MPI_File_iwrite_shared(file, data, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iread_shared(file, back, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    for (int i = 1; i < kBlocks * kBlock; ++i) CHECK(back[i] == back[0] && back[0] > 0);
}

static void write_and_read_alone(const char* folder, int by_testing, int has_shared) {
    unsigned char data[kBlocks * kBlock], back[kBlocks * kBlock];
    const MPI_Offset mine = (MPI_Offset)world_rank * kBlocks * kBlock;
    MPI_Request request;
    MPI_File file = open_file(folder, "alone", 0);
    fill(data);
    MPI_File_iwrite_at(file, mine, data, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    memset(back, 0, sizeof back);
    MPI_File_iread_at(file, mine, back, kBlocks * kBlock, MPI_BYTE, &request);
    wait_for(&request, by_testing);
    check(back);
    if (has_shared) use_shared_pointer(file, by_testing);
    MPI_File_close(&file);
}

static void write_split(const char* folder) {
    unsigned char data[kBlocks * kBlock], back[kBlocks * kBlock];
    MPI_Status status;
    MPI_File file = open_file(folder, "split", 1);
    fill(data);
    MPI_File_write_all_begin(file, data, kBlocks * kBlock, MPI_BYTE);
    MPI_File_write_all_end(file, data, &status);
    MPI_File_read_at_all_begin(file, 0, back, kBlocks * kBlock, MPI_BYTE);
    MPI_File_read_at_all_end(file, back, &status);
    check(back);
    MPI_File_close(&file);
}

/* Several large writes, and then reads, of all ranks together, of which one rank does all that has
   to do with the file. They are waited for together: each goes on while the others are looked at.
 */
static void write_and_read_several(const char* folder) {
    enum { kRequests = 4, kLarge = 1 << 20 };
    static unsigned char data[kRequests][kLarge], back[kRequests][kLarge];
    MPI_Request requests[kRequests];
    MPI_File file = open_file(folder, "several", 0);
    for (int i = 0; i < kRequests; ++i) {
        memset(data[i], byte_of(world_rank, i, 0), kLarge);
        const MPI_Offset place = ((MPI_Offset)world_rank * kRequests + i) * kLarge;
        MPI_File_iwrite_at_all(file, place, data[i], kLarge, MPI_BYTE, &requests[i]);
    }
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < kRequests; ++i) {
        const MPI_Offset place = ((MPI_Offset)world_rank * kRequests + i) * kLarge;
        MPI_File_iread_at_all(file, place, back[i], kLarge, MPI_BYTE, &requests[i]);
    }
    MPI_Waitall(kRequests, requests, MPI_STATUSES_IGNORE);
    CHECK(memcmp(data, back, sizeof data) == 0);
    MPI_File_close(&file);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(argc == 2 || argc == 3);
    for (int by_testing = 0; by_testing < 2; ++by_testing) {
        write_and_read_all(argv[1], by_testing);
        write_and_read_alone(argv[1], by_testing, argc == 2);
    }
    write_split(argv[1]);
    write_and_read_several(argv[1]);
    return end("files");
}
