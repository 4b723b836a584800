#pragma once

#include "network/channel/channel.hpp"
#include "network/channel/encoding.hpp"

namespace kumi::network {

/// How a link without error correction corrupts bits of messages for which errors are allowed.
/// Plain data.
struct LinkNoise {
    Channel channel;
    BitOrder order = BitOrder::kInOrder;  ///< How unprotected bits are put in symbols.
};

}  // namespace kumi::network
