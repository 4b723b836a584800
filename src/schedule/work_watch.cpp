#include "schedule/work_watch.hpp"

#include <utility>

namespace kumi::schedule {
namespace {

thread_local WorkWatch* t_watch = nullptr;

}  // namespace

WorkWatch::WorkWatch(Look look) : x_look(std::move(look)), x_outer(std::exchange(t_watch, this)) {}

WorkWatch::~WorkWatch() { t_watch = x_outer; }

void WorkWatch::count(std::uint64_t operations) {
    WorkWatch* const watch = t_watch;
    if (watch == nullptr) return;
    watch->x_operations += operations;
    if (watch->x_operations < watch->x_next) return;
    watch->x_next = watch->x_operations + kStep;
    watch->x_look(watch->x_operations);
}

}  // namespace kumi::schedule
