// The number of a layout: another one for whatever lies elsewhere.

#include "conductor/segment/segment_layout.hpp"

#include <gtest/gtest.h>

#include <set>

#include "conductor/segment/segment.hpp"
#include "conductor/testing/child_process.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

struct Slot {
    std::uint32_t status;
    std::uint32_t host;
};
struct MembersSwapped {
    std::uint32_t host;
    std::uint32_t status;
};
struct LargerMember {
    std::uint32_t status;
    std::uint64_t host;
};
struct OneMore {
    std::uint32_t status;
    std::uint32_t host;
    std::uint32_t due;
};
struct alignas(64) Aligned {
    std::uint32_t status;
    std::uint32_t host;
};

template <class Type>
std::uint64_t layout_of() {
    return LayoutHash()
        .type<Type>()
        .members({offsetof(Type, status), offsetof(Type, host)})
        .value();
}

TEST(SegmentLayout, ChangesWithEveryChangeOfAStruct) {
    const std::set<std::uint64_t> found = {layout_of<Slot>(), layout_of<MembersSwapped>(),
                                           layout_of<LargerMember>(), layout_of<OneMore>(),
                                           layout_of<Aligned>()};
    EXPECT_EQ(found.size(), 5U);
    // Of one type after another, too.
    EXPECT_NE(LayoutHash().type<Slot>().type<OneMore>().value(),
              LayoutHash().type<OneMore>().type<Slot>().value());
}

TEST(SegmentLayout, AProcessOfAnotherLayoutIsRefusedWithTheReason) {
    RanksUnderTest ranks(2);
    const_cast<ConductorState&>(ranks.run->state()).layout ^= 1;
    const std::string path = ranks.run->segment_path();
    const auto attach = [&path] {
        testing::internal::CaptureStderr();
        const bool is_refused = Segment::attach(path.c_str()) == nullptr;
        const std::string said = testing::internal::GetCapturedStderr();
        const bool says_why = said.find("are of another build than the kumihimo that started it") !=
                              std::string::npos;
        return is_refused && says_why ? 0 : 1;
    };
    EXPECT_EQ(in_child(attach), 0);
}

}  // namespace
}  // namespace kumi::conductor
