#pragma once

namespace kumi {

// ISO C++ has no 128-bit integers; every compiler we build with does.
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

}  // namespace kumi
