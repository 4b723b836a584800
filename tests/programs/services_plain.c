/* The program `services` as it would be without hints. */
#include <kumihimo/hint.h>
#undef HINT
#define HINT(key, value) \
    (strcmp((key), "IN_THE_KERNEL") == 0 ? KUMI_HINT_UNKNOWN : ((void)(value), KUMI_HINT_OK))
#include "services.c"
