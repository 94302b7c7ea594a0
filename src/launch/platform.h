/* launch/platform.h - the architecture that memspy itself runs on; one file for each. */
#ifndef MS_LAUNCH_PLATFORM_H
#define MS_LAUNCH_PLATFORM_H

#include <elf.h>
#include <stdbool.h>

extern const char ms_launch_platform_name[];      /* for users: "x86-64" */
extern const char ms_launch_platform_valgrind[];  /* as Valgrind names its files: "amd64-linux" */
extern const unsigned ms_launch_platform_machine; /* e_machine of its programs */
extern const bool ms_launch_platform_has_native;  /* whether there is a native front-end */
/* Options that Valgrind needs here; NULL at the end. */
extern const char *const ms_launch_platform_valgrind_options[];

#endif
