#include "launch/platform.h"

#include <stddef.h>

const char ms_launch_platform_name[] = "x86-64";
const char ms_launch_platform_valgrind[] = "amd64-linux";
const unsigned ms_launch_platform_machine = EM_X86_64;
const bool ms_launch_platform_has_native = true;
const char *const ms_launch_platform_valgrind_options[] = { NULL };
