// Every host of a cubic torus sends to the one that is `distance` further along the first dimension
// and receives from the one before, step by step: the schedule of bench/replay_workloads.hpp as a
// program of SimGrid's S4U. Arguments: platform file, hosts along a side, steps, distance, bytes,
// and whether a barrier ends each step (0 or 1).

#include <cstdio>
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>

namespace sg4 = simgrid::s4u;

namespace {

struct Shift {
    int steps = 0;
    std::uint64_t size_bytes = 0;
    sg4::BarrierPtr barrier;
};

sg4::Mailbox* mailbox_of(int rank) { return sg4::Mailbox::by_name(std::to_string(rank)); }

void run_rank(const Shift* shift, int rank, int target) {
    static int payload = 0;
    sg4::Mailbox* const inbox = mailbox_of(rank);
    sg4::Mailbox* const outbox = mailbox_of(target);
    for (int step = 0; step < shift->steps; ++step) {
        const sg4::CommPtr sending = outbox->put_async(&payload, shift->size_bytes);
        inbox->get<int>();
        sending->wait();
        if (shift->barrier) shift->barrier->wait();
    }
}

}  // namespace

int main(int argc, char** argv) {
    sg4::Engine engine(&argc, argv);
    if (argc != 7) {
        std::fprintf(stderr, "usage: %s PLATFORM SIDE STEPS DISTANCE BYTES BARRIER\n", argv[0]);
        return 2;
    }
    engine.load_platform(argv[1]);
    const int side = std::atoi(argv[2]);
    const int ranks = side * side * side;
    const int distance = std::atoi(argv[4]);
    Shift shift{std::atoi(argv[3]), std::strtoull(argv[5], nullptr, 10), nullptr};
    if (std::atoi(argv[6]) != 0) shift.barrier = sg4::Barrier::create(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        const int target = rank - rank % side + (rank % side + distance) % side;
        const std::string name = "host" + std::to_string(rank);
        sg4::Actor::create(name, sg4::Host::by_name(name), run_rank, &shift, rank, target);
    }
    engine.run();
    std::printf("virtual_seconds %.9f\n", sg4::Engine::get_clock());
    return 0;
}
