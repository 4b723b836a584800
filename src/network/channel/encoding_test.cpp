// Where bits of words go, and what they occupy.

#include "network/channel/encoding.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace kumi::network {
namespace {

TEST(Encoding, BandwidthOf1024QamIsThatOfTheClosedForm) {
    struct Known {
        std::uint32_t word, protected_bits;
        double gbps;
    };
    for (const Known& known : {Known{64, 8, 969.7}, Known{64, 16, 941.2}, Known{64, 32, 888.9},
                               Known{64, 64, 800.0}, Known{32, 12, 914.3}, Known{64, 0, 1000.0}}) {
        const Encoding encoding{known.word, known.protected_bits, BitOrder::kInOrder};
        const double share = bandwidth_share(encoding, 5);
        EXPECT_NEAR(share, 4.0 * known.word / (4.0 * known.word + known.protected_bits), 1e-15);
        EXPECT_NEAR(1000 * share, known.gbps, 0.05);
        EXPECT_NEAR(1e9 / static_cast<double>(encoded_bytes(encoding, 5, 1'000'000'000)), share,
                    1e-8);
    }
}

/// Symbols counted one by one: each axis of the protected part has a bit less.
TEST(Encoding, BytesOnALinkAreThoseOfTheSymbols) {
    for (const std::uint32_t bits : {2U, 3U, 4U, 5U, 6U}) {
        for (const std::uint32_t guarded : {0U, 1U, 12U, 16U, 32U}) {
            const Encoding encoding{32, guarded, BitOrder::kInOrder};
            const std::uint64_t words = 60 * 61;  // Nothing left over in the last axis.
            const double open = words * (32.0 - guarded) / bits;
            const double thinned = words * static_cast<double>(guarded) / (bits - 1);
            const double on_links = (open + thinned) * bits / 8;
            EXPECT_NEAR(static_cast<double>(encoded_bytes(encoding, bits, words * 4)), on_links, 1);
        }
    }
}

TEST(Encoding, WhatIsNoWholeWordIsProtected) {
    const Encoding encoding{64, 0, BitOrder::kInOrder};
    EXPECT_EQ(encoded_bytes(encoding, 5, 800), 800U);
    EXPECT_EQ(encoded_bytes(encoding, 5, 804), 805U);  // 4 bytes cost a quarter more.
}

TEST(Encoding, EveryBitHasOnePlace) {
    for (const BitOrder order : {BitOrder::kInOrder, BitOrder::kImportantFirst}) {
        for (const std::uint32_t per_axis : {1U, 2U, 3U, 4U, 5U, 6U}) {
            for (const std::uint32_t bits : {1U, 3U, 16U, 48U, 64U}) {
                for (const std::uint64_t words : {1U, 2U, 4U, 5U, 6U, 7U, 31U}) {
                    const BitLayout layout(words, 64 - bits, bits, per_axis, order);
                    std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
                    for (std::uint64_t axis = 0; axis < layout.axes(); ++axis) {
                        for (std::uint32_t position = 1; position <= per_axis; ++position) {
                            PayloadBit at;
                            if (!layout.at(axis, position, at)) continue;
                            EXPECT_LT(at.word, words);
                            EXPECT_GE(at.bit, 64 - bits);
                            EXPECT_LT(at.bit, 64U);
                            EXPECT_TRUE(seen.emplace(at.word, at.bit).second);
                        }
                    }
                    EXPECT_EQ(seen.size(), words * bits);
                }
            }
        }
    }
}

TEST(Encoding, ImportantBitsTakeTheGoodPositions) {
    const BitLayout layout(10, 16, 48, 5, BitOrder::kImportantFirst);
    for (std::uint64_t axis = 0; axis < layout.axes(); ++axis) {
        for (std::uint32_t position = 1; position <= 5; ++position) {
            PayloadBit at;
            ASSERT_TRUE(layout.at(axis, position, at));
            // A fifth of the 48 bits for each position, up to one that two share.
            EXPECT_GE(at.bit, 16 + 48 * (position - 1) / 5);
            EXPECT_LE(at.bit, 16 + (48 * position + 4) / 5);
        }
    }
}

}  // namespace
}  // namespace kumi::network
