#include "launch/platform.h"

#include <stddef.h>

const char ms_launch_platform_name[] = "aarch64";
const char ms_launch_platform_valgrind[] = "arm64-linux";
const unsigned ms_launch_platform_machine = EM_AARCH64;
const bool ms_launch_platform_has_native = true;
/* A store of ours between a load-exclusive and its store-exclusive would make that fail forever. */
const char *const ms_launch_platform_valgrind_options[] = { "--sim-hints=fallback-llsc", NULL };
