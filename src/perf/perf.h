/*
 * perf/perf.h - samples of a program on the real machine, taken by the kernel's perf events: which
 * sources there are, whether they work here, and the samples themselves.
 *
 * A source is opened for a process before it executes the program, on every processor, and
 * inherited by the threads that it makes. The kernel writes records into one ring a processor; they
 * are read by whoever calls ms_perf_take(), and in between by a thread of memspy.
 */
#ifndef MS_PERF_PERF_H
#define MS_PERF_PERF_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "run/run.h"

/* --- what there is --- */

/* Where sysfs and proc are, and how events are opened: tests have their own. */
struct ms_perf_world {
	const char *root; /* in front of /sys and /proc: "" */
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		    unsigned long flags);
	bool privileged; /* CAP_PERFMON or CAP_SYS_ADMIN */
	bool filtered;   /* a seccomp filter is on this process: most containers have one */
};

void ms_perf_this_world(struct ms_perf_world *world);
/* Whether memspy has a capability, by the number of its bit. */
enum { MS_CAP_PTRACE = 19, MS_CAP_ADMIN = 21, MS_CAP_PERFMON = 38 };
bool ms_perf_capable(unsigned capability);

/* What is asked of a source. */
struct ms_perf_wish {
	enum ms_run_source source;
	const char *event;    /* for libpfm4; NULL: the source's own */
	uint64_t period;      /* events from sample to sample; 0: so that the next two are kept */
	uint64_t rate;        /* samples a second of a thread's time; 0: what overhead allows */
	double overhead;      /* time that sampling may take, as a share of the program's */
	uint64_t min_latency; /* cycles; 0: what suits the source */
	uint64_t buffer;      /* bytes of the kernel's buffer a processor; 0: what suits */
	bool attach;          /* to a process that runs: memspy takes the timer's samples, too */
};

/* What is told of a source that works, or of one that does not. */
struct ms_perf_state {
	enum ms_run_source source;
	bool works;
	const char *event;  /* works: what it samples */
	const char *why;    /* does not: what is missing */
	const char *remedy; /* and what helps; NULL: nothing does */
	const char *tells;  /* what its samples tell */
};

/* The sources of this machine, the best first. The timer is not among them: it needs no perf. */
extern const enum ms_run_source ms_perf_sources[];
enum { MS_PERF_SOURCES = 4 };

/* Opens the source for memspy itself, and closes it again. Texts are the arena's. */
void ms_perf_probe(const struct ms_perf_world *world, const struct ms_perf_wish *wish,
		   struct ms_perf_state *state, struct ms_arena *arena);
/* The attributes that a source is opened with; fails where the machine has none such. */
int ms_perf_attr(const struct ms_perf_world *world, const struct ms_perf_wish *wish,
		 struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		 struct ms_err *err);

/* --- samples --- */

struct ms_perf_sample {
	uint64_t time; /* nanoseconds of CLOCK_MONOTONIC_RAW */
	uint64_t ip;
	uint64_t address; /* 0: not told */
	uint64_t period;  /* events that it stands for */
	uint64_t latency; /* cycles; 0: not told */
	uint32_t pid;
	uint32_t tid;
	uint8_t answer; /* enum ms_run_answer */
	uint8_t kind;   /* enum ms_site_kind */
	uint8_t size;   /* bytes; 0: not told */
	bool skipped;   /* it is no memory reference: IBS and SPE sample any operation */
};

enum { MS_PERF_REGS = 32 };

struct ms_perf_totals {
	uint64_t lost;      /* the kernel's buffer was full */
	uint64_t throttled; /* times */
	uint64_t kernel;    /* in the kernel */
	uint64_t foreign;   /* of processes that the program has forked */
	uint64_t after;     /* of the program that it has become (exec) */
	uint64_t threads;   /* that have samples */
	double period;      /* mean, over all samples */
	double seconds;     /* that taking all of them is estimated to have cost */
};

struct ms_perf;

/* For the process, and the threads that it makes from then on; counting begins when it executes a
 * program. */
int ms_perf_open(struct ms_perf **perf, const struct ms_perf_wish *wish, pid_t pid,
		 struct ms_err *err);
/* For a process that runs already, also by a timer (with registers; else the runtime's is used),
 * with all threads that it has; counting begins at once. */
int ms_perf_attach(struct ms_perf **perf, const struct ms_perf_wish *wish, pid_t pid,
		   struct ms_err *err);
const char *ms_perf_event(const struct ms_perf *perf);
/* The next sample that was taken before `time`, in the order of time; false: there is none. */
bool ms_perf_take(struct ms_perf *perf, uint64_t time, struct ms_perf_sample *sample);
/* Its general registers, in the order of their numbers; returns how many there are, or 0. */
unsigned ms_perf_registers(const struct ms_perf *perf, uint64_t regs[MS_PERF_REGS]);
/* When it was, in nanoseconds of CLOCK_MONOTONIC_RAW, that the processor's counter stood so. */
uint64_t ms_perf_time(struct ms_perf *perf, uint64_t counter);
/* Counting ends; what is in the rings can still be taken. */
void ms_perf_stop(struct ms_perf *perf);
void ms_perf_totals(const struct ms_perf *perf, struct ms_perf_totals *totals);
void ms_perf_close(struct ms_perf *perf);

#endif
