/* Receives whose message depends on time: from any source, of any tag, claimed, or cancelled. */
#ifndef KUMIHIMO_TESTS_TORTURE_WILDCARDS_H
#define KUMIHIMO_TESTS_TORTURE_WILDCARDS_H

#include "point_to_point.h"

/* One message of any source, found in one of six ways. */
static int receive_one(int round, int bytes, uint32_t how) {
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int found = 0;
    switch (how) {
        case 0:
            MPI_Recv(in[0], bytes, MPI_BYTE, MPI_ANY_SOURCE, tag_of(round, 0), comm, &status);
            break;
        case 1:
            MPI_Probe(MPI_ANY_SOURCE, tag_of(round, 0), comm, &status);
            MPI_Recv(in[0], bytes, MPI_BYTE, status.MPI_SOURCE, tag_of(round, 0), comm, &status);
            break;
        case 2:
            while (!found) MPI_Iprobe(MPI_ANY_SOURCE, tag_of(round, 0), comm, &found, &status);
            MPI_Recv(in[0], bytes, MPI_BYTE, status.MPI_SOURCE, tag_of(round, 0), comm, &status);
            break;
        case 3:
            MPI_Mprobe(MPI_ANY_SOURCE, tag_of(round, 0), comm, &message, &status);
            do_something();
            MPI_Mrecv(in[0], bytes, MPI_BYTE, &message, &status);
            break;
        case 4:
            while (!found)
                MPI_Improbe(MPI_ANY_SOURCE, tag_of(round, 0), comm, &found, &message, &status);
            MPI_Imrecv(in[0], bytes, MPI_BYTE, &message, &request);
            do_something();
            MPI_Wait(&request, &status);
            break;
        default:
            MPI_Irecv(in[0], bytes, MPI_BYTE, MPI_ANY_SOURCE, tag_of(round, 0), comm, &request);
            do_something();
            while (!found) MPI_Test(&request, &found, &status);
    }
    see_status(&status);
    return status.MPI_SOURCE;
}
enum { kWaysToReceive = 6 };

/* All send to one rank, which receives in the order of arrival. */
static void gather_anyhow(int round) {
    const int root = (int)shared((uint32_t)size), bytes = draw_bytes();
    const int is_mixed = shared(3) == 0;
    const uint32_t how = shared(kWaysToReceive);
    do_something();
    pattern_fill(out[0], (size_t)bytes, name_of(round, rank, 0));
    if (rank != root) {
        MPI_Send(out[0], bytes, MPI_BYTE, root, tag_of(round, 0), comm);
        return;
    }
    for (int i = 1; i < size; ++i) {
        const int source =
            receive_one(round, bytes, is_mixed ? draw(&private_state, kWaysToReceive) : how);
        check_in(0, bytes, round, source, 0);
        do_something();
    }
}

/* All send to all. Receives are posted before, between and after the sends; some name their
 * source, by a tag of their own. */
static void everyone_anyhow(int round) {
    MPI_Request requests[2 * kMostRanks];
    MPI_Status statuses[2 * kMostRanks];
    const int bytes = draw_bytes(), named = (int)shared((uint32_t)size);
    const int before = (int)shared((uint32_t)size), is_reversed = shared(2) == 0;
    int count = 0;
    for (int i = 1; i < size; ++i) {
        if (i == before) do_something();
        const int is_named = rank_at(i) == named;
        MPI_Irecv(in[i], bytes, MPI_BYTE, is_named ? named : MPI_ANY_SOURCE,
                  tag_of(round, is_named), comm, &requests[count++]);
    }
    for (int i = 1; i < size; ++i) {
        const int to = rank_at(is_reversed ? -i : i);
        pattern_fill(out[i], (size_t)bytes, name_of(round, rank, 0));
        MPI_Isend(out[i], bytes, MPI_BYTE, to, tag_of(round, rank == named), comm,
                  &requests[count++]);
        if (chance(4)) do_something();
    }
    MPI_Waitall(count, requests, statuses);
    for (int i = 1; i < size; ++i) {
        see_status(&statuses[i - 1]);
        check_in(i, bytes, round, statuses[i - 1].MPI_SOURCE, 0);
    }
}

/* Messages of several tags, received as they come, while one that was claimed waits. */
static void claimed(int round) {
    enum { kMessages = 4 };
    const int to = rank_at(1), from = rank_at(-1), bytes = draw_bytes();
    MPI_Request requests[kMessages];
    MPI_Message message;
    MPI_Status status;
    for (int i = 0; i < kMessages; ++i) {
        pattern_fill(out[i], (size_t)bytes, name_of(round, rank, i));
        MPI_Isend(out[i], bytes, MPI_BYTE, to, tag_of(round, i), comm, &requests[i]);
    }
    const int first = (int)shared(kMessages);
    MPI_Mprobe(MPI_ANY_SOURCE, tag_of(round, first), comm, &message, &status);
    see_status(&status);
    for (int i = 0; i < kMessages; ++i) {
        if (i == first) continue;
        const int is_wild = shared(2) == 0;
        MPI_Recv(in[i], bytes, MPI_BYTE, is_wild ? MPI_ANY_SOURCE : from, tag_of(round, i), comm,
                 &status);
        see_status(&status);
        check_in(i, bytes, round, from, i);
    }
    MPI_Mrecv(in[first], bytes, MPI_BYTE, &message, &status);
    check_in(first, bytes, round, from, first);
    MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE);
}

/* A receive that is cancelled, perhaps after its message has come, and then posted again. */
static void cancelled(int round) {
    const int to = rank_at(1), from = rank_at(-1), bytes = draw_bytes();
    const int source = shared(2) == 0 ? MPI_ANY_SOURCE : from;
    MPI_Request receive, send;
    MPI_Status status;
    int is_cancelled = 0;
    MPI_Irecv(in[0], bytes, MPI_BYTE, source, tag_of(round, 0), comm, &receive);
    if (chance(2)) do_something();
    pattern_fill(out[0], (size_t)bytes, name_of(round, rank, 0));
    MPI_Isend(out[0], bytes, MPI_BYTE, to, tag_of(round, 0), comm, &send);
    if (chance(2)) sleep_for((long)draw(&private_state, 8000));
    MPI_Cancel(&receive);
    MPI_Wait(&receive, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    see((uint64_t)is_cancelled);
    if (is_cancelled) MPI_Recv(in[0], bytes, MPI_BYTE, source, tag_of(round, 0), comm, &status);
    see_status(&status);
    check_in(0, bytes, round, from, 0);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

/* Of any tag, on a communicator on which nothing else is sent. */
static void any_tag(int round, MPI_Comm alone) {
    enum { kMessages = 5 };
    int my_rank, all, order[kMessages];
    MPI_Request requests[2 * kMessages];
    MPI_Status statuses[2 * kMessages];
    MPI_Comm_rank(alone, &my_rank);
    MPI_Comm_size(alone, &all);
    const int to = (my_rank + 1) % all, from = (my_rank + all - 1) % all, bytes = draw_bytes();
    const int after = shared(2) == 0;
    for (int i = 0; i < kMessages; ++i) order[i] = (int)shared(1000);
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < kMessages; ++i) {
            if (turn == after) {
                MPI_Irecv(in[i], bytes, MPI_BYTE, from, MPI_ANY_TAG, alone, &requests[i]);
            } else {
                pattern_fill(out[i], (size_t)bytes, name_of(round, my_rank, i));
                MPI_Isend(out[i], bytes, MPI_BYTE, to, order[i], alone, &requests[kMessages + i]);
            }
        }
    }
    MPI_Waitall(2 * kMessages, requests, statuses);
    for (int i = 0; i < kMessages; ++i) {
        see_status(&statuses[i]);
        CHECK(statuses[i].MPI_TAG == order[i]);
        check_in(i, bytes, round, from, i);
    }
}

#endif
