/*
 * perf/perf.h - samples of a program on the real machine, taken by the kernel's perf events: which
 * sources exist, whether they work here, and the samples themselves.
 *
 * A source is opened for a process before it executes the program, on every processor, and its
 * threads inherit it. The kernel writes records into one ring per processor. The caller of
 * ms_perf_take() reads them, and between these calls a thread of memspy does.
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

/* --- sources --- */

/* Where sysfs and proc are, and how events are opened: tests replace them. */
struct ms_perf_world {
	const char *root; /* prefix of /sys and /proc: "" */
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		    unsigned long flags);
	bool privileged; /* CAP_PERFMON or CAP_SYS_ADMIN */
	bool filtered;   /* this process has a seccomp filter: most containers do */
};

void ms_perf_this_world(struct ms_perf_world *world);
/* Whether memspy has a capability, by its bit number. */
enum { MS_CAP_PTRACE = 19, MS_CAP_ADMIN = 21, MS_CAP_PERFMON = 38 };
bool ms_perf_capable(unsigned capability);

/* What the caller requests from a source. */
struct ms_perf_request {
	enum ms_run_source source;
	const char *event;    /* for libpfm4; NULL: the source's default */
	uint64_t period;      /* events between samples; 0: the next two decide */
	uint64_t rate;        /* samples per second of a thread's CPU time; 0: by overhead */
	double overhead;      /* time that sampling may cost, as a share of the program's */
	uint64_t min_latency; /* cycles; 0: the source's default */
	uint64_t buffer;      /* bytes of the kernel's buffer per processor; 0: default */
	bool attach;          /* to a running process: memspy takes the timer's samples, too */
};

/* The state of a source that works, or the reason why it does not. */
struct ms_perf_state {
	enum ms_run_source source;
	bool works;
	const char *event;  /* works: the sampled event */
	const char *why;    /* does not work: what is missing */
	const char *remedy; /* and how to fix it; NULL: not possible */
	const char *tells;  /* what its samples contain */
};

/*
 * The sources of this machine, the best first. The timer is not among them: it does not need perf.
 */
extern const enum ms_run_source ms_perf_sources[];
enum { MS_PERF_SOURCES = 4 };

/* Opens the source for memspy itself, and closes it again. The arena owns the texts. */
void ms_perf_probe(const struct ms_perf_world *world, const struct ms_perf_request *request,
		   struct ms_perf_state *state, struct ms_arena *arena);
/* The attributes with which a source is opened; fails if the machine does not have the source. */
int ms_perf_attr(const struct ms_perf_world *world, const struct ms_perf_request *request,
		 struct perf_event_attr *attr, const char **event, struct ms_arena *arena,
		 struct ms_err *err);

/* --- samples --- */

struct ms_perf_sample {
	uint64_t time; /* nanoseconds of CLOCK_MONOTONIC_RAW */
	uint64_t ip;
	uint64_t address; /* 0: not recorded */
	uint64_t period;  /* events that it represents */
	uint64_t latency; /* cycles; 0: not recorded */
	uint32_t pid;
	uint32_t tid;
	uint8_t answer; /* enum ms_run_answer */
	uint8_t kind;   /* enum ms_run_site_kind */
	uint8_t size;   /* bytes; 0: not recorded */
	bool skipped;   /* not a memory reference: IBS and SPE sample any operation */
};

enum { MS_PERF_REGS = 32 };

struct ms_perf_totals {
	uint64_t lost;      /* because the kernel's buffer was full */
	uint64_t throttled; /* times */
	uint64_t kernel;    /* in the kernel */
	uint64_t foreign;   /* of processes that the program has forked */
	uint64_t after;     /* of another program that it has executed (exec) */
	uint64_t threads;   /* that have samples */
	double period;      /* mean, over all samples */
	double seconds;     /* estimated cost of taking all of them */
};

struct ms_perf;

/*
 * For the process, and the threads that it creates later; counting begins when it executes a
 * program.
 */
int ms_perf_open(struct ms_perf **perf, const struct ms_perf_request *request, pid_t pid,
		 struct ms_err *err);
/*
 * For a running process with all its threads, also by a timer (with registers; otherwise the
 * runtime's timer is used); counting begins at once.
 */
int ms_perf_attach(struct ms_perf **perf, const struct ms_perf_request *request, pid_t pid,
		   struct ms_err *err);
const char *ms_perf_event(const struct ms_perf *perf);
/* The next sample that was taken before `time`, in the order of time; false: there is none. */
bool ms_perf_take(struct ms_perf *perf, uint64_t time, struct ms_perf_sample *sample);
/* Its general registers, in the order of their numbers; returns their count, or 0. */
unsigned ms_perf_registers(const struct ms_perf *perf, uint64_t regs[MS_PERF_REGS]);
/*
 * The time, in nanoseconds of CLOCK_MONOTONIC_RAW, at which the processor's counter had this value.
 */
uint64_t ms_perf_time(struct ms_perf *perf, uint64_t counter);
/* Stops counting; samples in the rings can still be taken. */
void ms_perf_stop(struct ms_perf *perf);
void ms_perf_totals(const struct ms_perf *perf, struct ms_perf_totals *totals);
void ms_perf_close(struct ms_perf *perf);

#endif
