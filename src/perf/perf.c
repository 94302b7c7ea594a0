#include "perf/perf.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/thread.h"
#include "perf/execs.h"
#include "perf/perf_priv.h"

enum { RING_BYTES = 256 * 1024, AUX_BYTES = 1024 * 1024, READ_EVERY_MS = 50 };

struct ms_perf {
	struct ms_perf_world world;
	struct ms_arena arena;
	struct perf_event_attr attr;
	enum ms_run_source source;
	const char *event;
	pid_t pid;
	MS_VEC(struct ms_perf_ring) rings;
	MS_VEC(int) others; /* events of threads that share a ring, and leaders of groups */
	pthread_mutex_t lock;
	pthread_t reader;
	bool reads;
	uint32_t stop;
	struct ms_perf_clock clock;
	struct ms_perf_totals totals;
	struct ms_map threads;
	uint64_t samples;
	double periods;
	struct ms_perf_execs execs;
	uint64_t taken[MS_PERF_REGS]; /* registers of the last returned sample */
	unsigned taken_count;
	uint64_t asked; /* the time limit of the last call of ms_perf_take() */
};

/* --- records --- */

/* In the order of the queue; a sample without registers gets zeros. */
static void keep_registers(struct ms_perf *p, struct ms_perf_ring *ring, const uint8_t *regs)
{
	if ((p->attr.sample_type & PERF_SAMPLE_REGS_USER) == 0)
		return;
	for (unsigned i = 0; i < ms_perf_regs_count; i++) {
		uint64_t value = 0;

		if (regs != NULL)
			memcpy(&value, regs + ms_perf_reg_at(i) * sizeof(value), sizeof(value));
		*ms_vec_add(&ring->regs) = value;
	}
}

static void keep(struct ms_perf *p, struct ms_perf_ring *ring, const struct ms_perf_sample *s,
		 const uint8_t *regs)
{
	p->samples++;
	p->periods += (double)s->period;
	if (s->pid != (uint32_t)p->pid) {
		p->totals.foreign++;
		return;
	}
	if ((int64_t)s->ip < 0) { /* if the source cannot exclude the kernel */
		p->totals.kernel++;
		return;
	}
	*ms_map_at(&p->threads, s->tid, 0) = 1;
	if (ring->next == ring->queue.n)
		ring->next = ring->queue.n = ring->regs.n = 0;
	uint64_t last = ring->queue.n > 0 ? ring->queue.at[ring->queue.n - 1].time : 0;
	struct ms_perf_sample *kept = ms_vec_add(&ring->queue);
	*kept = *s;
	/* The samples of a processor are in order, except for a few nanoseconds. */
	if (kept->time < last)
		kept->time = last;
	keep_registers(p, ring, regs);
}

/* SPE records are in the AUX area. */
static void read_aux(struct ms_perf *p, struct ms_perf_ring *ring, const struct ms_perf_record *r)
{
	uint8_t *bytes = ms_alloc((size_t)r->aux_size + 1);

	for (uint64_t i = 0; i < r->aux_size; i++)
		bytes[i] = ring->aux[(r->aux_offset + i) % ring->aux_bytes];
	ms_perf_clock_read(&p->clock);
	for (size_t at = 0, n; at < r->aux_size; at += n) {
		bool done;

		n = ms_perf_spe_packet(&ring->spe, bytes + at, (size_t)r->aux_size - at,
				       (size_t)(r->aux_offset + at), &done);
		if (n == 0)
			break;
		if (!done)
			continue;
		struct ms_perf_sample s = ring->spe.sample;
		s.time = ms_perf_clock_time(&p->clock, s.time);
		s.period = p->attr.sample_period;
		s.pid = (uint32_t)p->pid;
		s.tid = s.pid;
		keep(p, ring, &s, NULL);
	}
	ms_free(bytes);
	__atomic_store_n(&ring->page->aux_tail, r->aux_offset + r->aux_size, __ATOMIC_RELEASE);
}

static void take_record(void *arg, struct ms_perf_ring *ring, const struct ms_perf_record *r)
{
	struct ms_perf *p = arg;

	switch (r->kind) {
	case MS_RECORD_SAMPLE:
		keep(p, ring, &r->sample, r->regs);
		break;
	case MS_RECORD_LOST:
		p->totals.lost += r->lost;
		break;
	case MS_RECORD_THROTTLE:
		p->totals.throttled++;
		break;
	case MS_RECORD_EXEC:
		if (r->pid == (uint32_t)p->pid)
			ms_perf_execs_record(&p->execs, r->time);
		break;
	case MS_RECORD_AUX:
		p->totals.lost += r->aux_cut;
		if (ring->aux != NULL && r->aux_size <= ring->aux_bytes)
			read_aux(p, ring, r);
		break;
	case MS_RECORD_BROKEN:
	case MS_RECORD_OTHER:
		break;
	}
}

static void drain(struct ms_perf *p)
{
	for (size_t i = 0; i < p->rings.n; i++)
		ms_perf_ring_read(&p->rings.at[i], &p->attr, take_record, p);
}

/* Prevents an overflow of the rings while the program sends no events. */
static void *read_always(void *arg)
{
	struct ms_perf *p = arg;
	struct pollfd *fds = ms_alloc(p->rings.n * sizeof(*fds));

	for (size_t i = 0; i < p->rings.n; i++)
		fds[i] = (struct pollfd){ .fd = p->rings.at[i].fd, .events = POLLIN };
	while (!__atomic_load_n(&p->stop, __ATOMIC_ACQUIRE)) {
		poll(fds, p->rings.n, READ_EVERY_MS);
		for (size_t i = 0; i < p->rings.n; i++)
			if ((fds[i].revents & (POLLHUP | POLLERR)) != 0)
				fds[i].fd = -1; /* its threads have ended; poll() would not wait */
		pthread_mutex_lock(&p->lock);
		drain(p);
		pthread_mutex_unlock(&p->lock);
	}
	ms_free(fds);
	return NULL;
}

/* --- opening --- */

static size_t bytes_of(const struct ms_perf_request *request)
{
	return request->buffer != 0 ? (size_t)request->buffer : RING_BYTES;
}

static int open_one(struct ms_perf *p, pid_t tid, int cpu, int group)
{
	int fd;

	do
		fd = p->world.open(&p->attr, tid, cpu, group, PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINVAL && ms_perf_relax(&p->attr));
	return fd;
}

/* From Sapphire Rapids on, load latency needs an auxiliary event, which leads the group. */
static int open_leader(struct ms_perf *p, pid_t tid, int cpu)
{
	enum { MEM_LOADS_AUX = 0x8203 };
	struct perf_event_attr leader = p->attr;

	if (p->source != MS_RUN_PEBS ||
	    (access("/sys/bus/event_source/devices/cpu/events/mem-loads-aux", F_OK) != 0 &&
	     access("/sys/bus/event_source/devices/cpu_core/events/mem-loads-aux", F_OK) != 0))
		return -1;
	leader.config = MEM_LOADS_AUX;
	leader.config1 = 0;
	leader.sample_period = 0;
	leader.freq = 0;
	leader.precise_ip = 0;
	leader.sample_type = 0;
	int fd = p->world.open(&leader, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		*ms_vec_add(&p->others) = fd;
	return fd;
}

static int explain(struct ms_perf *p, const struct ms_perf_request *request, int error,
		   struct ms_err *err)
{
	struct ms_perf_state state;

	ms_perf_probe(&p->world, request, &state, &p->arena);
	if (state.works) {
		errno = error;
		return ms_fail_errno(err, "cannot sample this process by %s", p->event);
	}
	return ms_fail(err, MS_EMISSING, "%s%s%s%s%s", p->event != NULL ? p->event : "",
		       p->event != NULL ? ": " : "", state.why,
		       state.remedy != NULL ? ". What helps: " : "",
		       state.remedy != NULL ? state.remedy : "");
}

/*
 * The first event of a processor maps the ring; events of other threads write into the same ring.
 */
static int add_event(struct ms_perf *p, const struct ms_perf_request *request, pid_t tid, int cpu,
		     struct ms_perf_ring *ring, struct ms_err *err)
{
	int fd = open_one(p, tid, cpu, open_leader(p, tid, cpu));

	if (fd < 0 && errno == ENODEV)
		return MS_OK; /* a processor that is offline */
	if (fd < 0 && errno == ESRCH && ring->fd >= 0)
		return MS_OK; /* a thread that has ended since */
	if (fd < 0)
		return explain(p, request, errno, err);
	if (ring->fd >= 0) {
		*ms_vec_add(&p->others) = fd;
		ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd);
		return MS_OK;
	}
	ring->fd = fd;
	return ms_perf_ring_map(ring, bytes_of(request), p->source == MS_RUN_SPE ? AUX_BYTES : 0,
				err);
}

static int add_processors(struct ms_perf *p, const struct ms_perf_request *request,
			  const pid_t *tids, size_t n, struct ms_err *err)
{
	long processors = sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < processors; cpu++) {
		struct ms_perf_ring ring = { .fd = -1 };
		int code = MS_OK;

		for (size_t i = 0; i < n && code == MS_OK; i++)
			code = add_event(p, request, tids[i], cpu, &ring, err);
		if (code != MS_OK) {
			ms_perf_ring_unmap(&ring);
			return code;
		}
		if (ring.fd >= 0)
			*ms_vec_add(&p->rings) = ring;
	}
	return p->rings.n > 0
		       ? MS_OK
		       : ms_fail(err, MS_EMISSING, "%s: no processor could be sampled", p->event);
}

static int start(struct ms_perf *p, const struct ms_perf_request *request, const pid_t *tids,
		 size_t n, struct ms_err *err)
{
	sigset_t all, before;

	int code = ms_perf_attr(&p->world, request, &p->attr, &p->event, &p->arena, err);
	if (code != MS_OK)
		return code == MS_EMISSING ? explain(p, request, 0, err) : code;
	p->attr.inherit = 1;
	p->attr.inherit_thread = 1;
	p->attr.watermark = 1;
	p->attr.wakeup_watermark = (uint32_t)(bytes_of(request) / 4);
	p->attr.read_format = PERF_FORMAT_LOST;
	p->attr.enable_on_exec = n == 1 && tids[0] == p->pid && !p->execs.begun;
	MS_TRY(add_processors(p, request, tids, n, err));
	ms_perf_clock_start(&p->clock);
	/* Only the main thread handles signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = ms_thread_start(&p->reader, read_always, p, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	p->reads = code == MS_OK;
	return code;
}

static struct ms_perf *new_perf(const struct ms_perf_request *request, pid_t pid)
{
	struct ms_perf *p = ms_alloc(sizeof(*p));

	*p = (struct ms_perf){ .source = request->source, .pid = pid };
	ms_perf_this_world(&p->world);
	pthread_mutex_init(&p->lock, NULL);
	return p;
}

int ms_perf_open(struct ms_perf **perf, const struct ms_perf_request *request, pid_t pid,
		 struct ms_err *err)
{
	*perf = new_perf(request, pid);
	int code = start(*perf, request, &pid, 1, err);
	if (code != MS_OK) {
		ms_perf_close(*perf);
		*perf = NULL;
	}
	return code;
}

static void list_threads(pid_t pid, struct ms_arena *arena, const pid_t **tids, size_t *n)
{
	MS_VEC(pid_t) found = MS_VEC_INIT;
	DIR *dir = opendir(ms_arena_printf(arena, "/proc/%d/task", (int)pid));

	for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;)
		if (e->d_name[0] != '.')
			*ms_vec_add(&found) = (pid_t)strtol(e->d_name, NULL, 10);
	if (dir != NULL)
		closedir(dir);
	pid_t *kept = ms_arena_take(arena, (found.n + 1) * sizeof(*kept));
	memcpy(kept, found.at, found.n * sizeof(*kept));
	*tids = kept;
	*n = found.n;
	ms_vec_free(&found);
}

int ms_perf_attach(struct ms_perf **perf, const struct ms_perf_request *request, pid_t pid,
		   struct ms_err *err)
{
	struct ms_perf *p = *perf = new_perf(request, pid);
	const pid_t *tids;
	size_t n;

	p->execs.begun = true; /* long ago */
	list_threads(pid, &p->arena, &tids, &n);
	int code = n > 0 ? start(p, request, tids, n, err)
			 : ms_fail(err, MS_ENOENT, "there is no process %d", (int)pid);
	for (size_t i = 0; code == MS_OK && i < p->rings.n; i++)
		ioctl(p->rings.at[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	for (size_t i = 0; code == MS_OK && i < p->others.n; i++)
		ioctl(p->others.at[i], PERF_EVENT_IOC_ENABLE, 0);
	if (code != MS_OK) {
		ms_perf_close(p);
		*perf = NULL;
	}
	return code;
}

/* --- results --- */

const char *ms_perf_event(const struct ms_perf *p)
{
	return p->event;
}

static struct ms_perf_ring *earliest(struct ms_perf *p)
{
	struct ms_perf_ring *first = NULL;

	for (size_t i = 0; i < p->rings.n; i++) {
		struct ms_perf_ring *r = &p->rings.at[i];

		if (r->next < r->queue.n &&
		    (first == NULL ||
		     r->queue.at[r->next].time < first->queue.at[first->next].time))
			first = r;
	}
	return first;
}

bool ms_perf_take(struct ms_perf *p, uint64_t time, struct ms_perf_sample *sample)
{
	pthread_mutex_lock(&p->lock);
	if (p->asked != time) /* samples taken before `time` are in the rings by now */
		drain(p);
	p->asked = time;
	struct ms_perf_ring *ring = earliest(p);
	while (ring != NULL && ms_perf_execs_is_other(&p->execs, ring->queue.at[ring->next].time)) {
		p->totals.after++;
		ring->next++;
		ring = earliest(p);
	}
	bool found = ring != NULL && ring->queue.at[ring->next].time < time;
	if (found) {
		p->taken_count = ring->regs.n > 0 ? ms_perf_regs_count : 0;
		if (p->taken_count > 0)
			memcpy(p->taken, &ring->regs.at[ring->next * ms_perf_regs_count],
			       p->taken_count * sizeof(*p->taken));
		*sample = ring->queue.at[ring->next++];
	}
	pthread_mutex_unlock(&p->lock);
	return found;
}

unsigned ms_perf_registers(const struct ms_perf *p, uint64_t regs[MS_PERF_REGS])
{
	memcpy(regs, p->taken, p->taken_count * sizeof(*regs));
	return p->taken_count;
}

uint64_t ms_perf_time(struct ms_perf *p, uint64_t counter)
{
	pthread_mutex_lock(&p->lock);
	if (counter > p->clock.last_counter)
		ms_perf_clock_read(&p->clock);
	uint64_t time = ms_perf_clock_time(&p->clock, counter);
	pthread_mutex_unlock(&p->lock);
	return time;
}

/*
 * A record of lost samples comes with the next sample; for the last samples, the events have the
 * count.
 */
static void count_lost(struct ms_perf *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; p->attr.read_format != 0 && i < p->rings.n + p->others.n; i++) {
		uint64_t values[2] = { 0, 0 }; /* events, lost samples */
		int fd = i < p->rings.n ? p->rings.at[i].fd : p->others.at[i - p->rings.n];

		if (read(fd, values, sizeof(values)) == sizeof(values))
			sum += values[1];
	}
	if (sum > p->totals.lost)
		p->totals.lost = sum;
}

void ms_perf_stop(struct ms_perf *p)
{
	for (size_t i = 0; i < p->rings.n; i++)
		ioctl(p->rings.at[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < p->others.n; i++)
		ioctl(p->others.at[i], PERF_EVENT_IOC_DISABLE, 0);
	if (p->reads) {
		__atomic_store_n(&p->stop, 1, __ATOMIC_RELEASE);
		pthread_join(p->reader, NULL);
	}
	p->reads = false;
	p->asked = 0;
	count_lost(p);
}

void ms_perf_totals(const struct ms_perf *p, struct ms_perf_totals *totals)
{
	*totals = p->totals;
	totals->threads = p->threads.n;
	totals->period = p->samples > 0 ? p->periods / (double)p->samples : 0;
	totals->seconds = (double)p->samples * (double)ms_perf_cost(p->source) / 1e9;
}

void ms_perf_close(struct ms_perf *p)
{
	if (p == NULL)
		return;
	ms_perf_stop(p);
	for (size_t i = 0; i < p->rings.n; i++)
		ms_perf_ring_unmap(&p->rings.at[i]);
	for (size_t i = 0; i < p->others.n; i++)
		close(p->others.at[i]);
	ms_vec_free(&p->rings);
	ms_vec_free(&p->others);
	ms_map_free(&p->threads);
	ms_arena_free(&p->arena);
	pthread_mutex_destroy(&p->lock);
	ms_free(p);
}
