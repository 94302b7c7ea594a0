#include "collect/platform.h"

#include <stddef.h>

const char ms_platform_name[] = "x86-64";
const char ms_platform_valgrind[] = "amd64-linux";
const unsigned ms_platform_machine = EM_X86_64;
const bool ms_platform_has_native = true;
const char *const ms_platform_valgrind_options[] = { NULL };
