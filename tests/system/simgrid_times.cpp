// Times of messages in SimGrid, for comparison. Arguments: the platform, "alone" or "together", and
// SimGrid's own. Standard input has lines of sender, receiver and bytes; for each one a line with
// the seconds that the message takes is printed. "together" sends all at once.

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace {

struct Message {
    std::string source, target;
    std::uint64_t size_bytes = 0;
    double seconds = 0;
};

void send(Message& message) {
    const double begin = sg4::Engine::get_clock();
    sg4::Comm::sendto(sg4::Host::by_name(message.source), sg4::Host::by_name(message.target),
                      message.size_bytes);
    message.seconds = sg4::Engine::get_clock() - begin;
}

}  // namespace

int main(int argc, char** argv) {
    sg4::Engine engine(&argc, argv);
    engine.load_platform(argv[1]);
    const bool together = std::string(argv[2]) == "together";
    std::vector<Message> messages;
    Message read;
    while (std::cin >> read.source >> read.target >> read.size_bytes) messages.push_back(read);
    if (together) {
        for (Message& message : messages) {
            sg4::Actor::create("sender", sg4::Host::by_name(message.source),
                               [&message] { send(message); });
        }
    } else {
        sg4::Actor::create("sender", engine.get_all_hosts().front(), [&messages] {
            for (Message& message : messages) send(message);
        });
    }
    engine.run();
    for (const Message& message : messages) std::printf("%.12f\n", message.seconds);
    return 0;
}
