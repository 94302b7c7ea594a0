/* clock.h - clocks of the kernel, and random numbers to vary intervals. */
#ifndef MS_NATIVE_RUNTIME_CLOCK_H
#define MS_NATIVE_RUNTIME_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A clock of the kernel; CPU time of the running thread; and wall-clock time. In nanoseconds. */
uint64_t ms_runtime_read_clock(long clock);
uint64_t ms_runtime_read_cpu_clock(void);
uint64_t ms_runtime_read_wall_clock(void);
/* CPU time of the thread with this kernel id; 0: it has ended. */
uint64_t ms_runtime_read_thread_clock(uint32_t tid);
/* Uniform between 0.5 and 1.5 times the mean, so that samples do not resonate with the program. */
uint64_t ms_runtime_vary_interval(uint64_t *random, uint64_t mean);
uint64_t ms_runtime_draw_random(uint64_t *random);

#endif
