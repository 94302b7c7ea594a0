/* native.h - how the runtime begins in a program. */
#ifndef MS_NATIVE_NATIVE_H
#define MS_NATIVE_NATIVE_H

struct ms_runtime_thread;

/* Returns the thread if it is to be traced from here on. */
struct ms_runtime_thread *ms_native_start(int argc, char **argv, char **env);

#endif
