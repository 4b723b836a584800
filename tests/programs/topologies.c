/* Communicators with a topology: distributed graphs, whose edges any rank may name, adjacent ones,
   graphs, and the collectives of neighbours on them. */
#include "check.h"

/* The compiler takes Open MPI's MPI_UNWEIGHTED, a small number, for an array. */
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wstringop-overread"

/* Rank 0 names every edge; then each rank names those that leave the next one. Both graphs: from
   each rank to all others, and to itself. */
static MPI_Comm complete_graph(int rank_0_names_all) {
    MPI_Comm graph;
    const int first = rank_0_names_all ? 0 : (world_rank + 1) % world_size;
    const int sources = rank_0_names_all ? (world_rank == 0 ? world_size : 0) : 1;
    const int edges = sources * world_size;
    int* from = (int*)allocate(sizeof(int) * (size_t)world_size);
    int* degrees = (int*)allocate(sizeof(int) * (size_t)world_size);
    int* to = (int*)allocate(sizeof(int) * (size_t)(world_size * world_size));
    int* weights = (int*)allocate(sizeof(int) * (size_t)(world_size * world_size));
    for (int i = 0; i < sources; ++i) {
        from[i] = first + i;
        degrees[i] = world_size;
    }
    for (int i = 0; i < edges; ++i) {
        to[i] = i % world_size;
        weights[i] = 100 * from[i / world_size] + to[i];
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, sources, from, degrees, to, weights, MPI_INFO_NULL, 0,
                          &graph);
    free(from);
    free(degrees);
    free(to);
    free(weights);
    return graph;
}

static void check_complete_graph(int rank_0_names_all) {
    MPI_Comm graph = complete_graph(rank_0_names_all);
    int in = -1, out = -1, weighted = -1;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    CHECK(in == world_size && out == world_size && weighted);
    int* peers = (int*)allocate(4 * sizeof(int) * (size_t)world_size);
    int *sources = peers, *in_weights = peers + world_size;
    int *targets = peers + 2 * world_size, *out_weights = peers + 3 * world_size;
    MPI_Dist_graph_neighbors(graph, in, sources, in_weights, out, targets, out_weights);
    for (int i = 0; i < world_size; ++i) {
        CHECK(in_weights[i] == 100 * sources[i] + world_rank);
        CHECK(out_weights[i] == 100 * world_rank + targets[i]);
    }
    int* values = (int*)allocate(sizeof(int) * (size_t)world_size);
    MPI_Neighbor_allgather(&world_rank, 1, MPI_INT, values, 1, MPI_INT, graph);
    for (int i = 0; i < world_size; ++i) CHECK(values[i] == sources[i]);
    free(values);
    free(peers);
    MPI_Comm_free(&graph);
}

/* No edge at all, from any rank. */
static void check_no_edges(void) {
    MPI_Comm graph;
    int none = 0, in = -1, out = -1, weighted = -1;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 0, &none, &none, &none, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    CHECK(in == 0 && out == 0);
    MPI_Comm_free(&graph);
}

/* A graph is made while a receive is posted and a message lies there that was not asked for. */
static void check_with_other_messages(void) {
    const int next = (world_rank + 1) % world_size;
    int late = -1, early = -1;
    MPI_Request request;
    MPI_Irecv(&late, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    MPI_Send(&world_rank, 1, MPI_INT, next, 8, MPI_COMM_WORLD);
    check_complete_graph(0);
    MPI_Send(&world_rank, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&early, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(late == early && late == (world_rank + world_size - 1) % world_size);
}

static void check_ring(MPI_Comm ring) {
    const int next = (world_rank + 1) % world_size;
    const int previous = (world_rank + world_size - 1) % world_size;
    int out = 10 * world_rank, in = -1;
    MPI_Request request;
    MPI_Neighbor_alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, ring);
    CHECK(in == 10 * previous);
    MPI_Ineighbor_allgather(&next, 1, MPI_INT, &in, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == world_rank);
    MPI_Comm_free(&ring);
}

static void check_rings(void) {
    const int next = (world_rank + 1) % world_size;
    const int previous = (world_rank + world_size - 1) % world_size;
    const int one = 1;
    MPI_Comm ring, graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    check_ring(ring);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &world_rank, &one, &next, MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 0, &ring);
    check_ring(ring);

    int* ends = (int*)allocate(2 * sizeof(int) * (size_t)world_size);
    for (int i = 0; i < world_size; ++i) {
        ends[i] = i + 1;
        ends[world_size + i] = (i + 1) % world_size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, world_size, ends, ends + world_size, 0, &graph);
    int count = 0, neighbour = -1;
    MPI_Graph_neighbors_count(graph, world_rank, &count);
    MPI_Graph_neighbors(graph, world_rank, 1, &neighbour);
    CHECK(count == 1 && neighbour == next);
    MPI_Comm_free(&graph);
    free(ends);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    check_complete_graph(1);
    check_complete_graph(0);
    check_no_edges();
    check_with_other_messages();
    check_rings();
    return end("topologies");
}
