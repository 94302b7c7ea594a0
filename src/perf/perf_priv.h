/* perf/perf_priv.h - declarations that the files of this folder share. */
#ifndef MS_PERF_PERF_PRIV_H
#define MS_PERF_PERF_PRIV_H

#include "base/vec.h"
#include "perf/perf.h"

/* record.c: a record of the ring; the sample type determines its contents. */
enum ms_perf_record_kind {
	MS_RECORD_OTHER,
	MS_RECORD_SAMPLE,
	MS_RECORD_LOST,
	MS_RECORD_THROTTLE,
	MS_RECORD_EXEC,
	MS_RECORD_AUX,    /* data of the AUX area: aux_* say which */
	MS_RECORD_BROKEN, /* its contents do not match its header */
};

struct ms_perf_record {
	enum ms_perf_record_kind kind;
	struct ms_perf_sample sample;
	uint64_t lost;
	uint32_t pid; /* of MS_RECORD_EXEC; likewise: */
	uint64_t time;
	const uint8_t *regs; /* of a sample, ms_perf_regs_count words; NULL: none */
	uint64_t aux_offset, aux_size;
	bool aux_cut; /* the area was full */
};

/* bytes: one whole record, with its header. */
void ms_perf_record_read(const struct perf_event_attr *attr, const void *bytes, size_t n,
			 struct ms_perf_record *record);

/* data_src.c, ibs.c, spe.c: which part of the memory system answered, as each source encodes it. */
uint32_t ms_perf_data_src_answer(uint64_t data_src);
uint32_t ms_perf_data_src_kind(uint64_t data_src);
/* raw: the caps word and the registers after it. False: it is too short. */
bool ms_perf_ibs_read(const void *raw, size_t n, struct ms_perf_sample *sample);

/* spe.c: records of the AUX area. time is in ticks of the processor's counter. */
struct ms_perf_spe_reader {
	struct ms_perf_sample sample; /* the fields of the current record so far */
	uint64_t events;
	bool has_events, has_source, has_time, any;
	uint64_t broken; /* bytes that are not part of a packet */
};

/*
 * Reads the next packet; returns its bytes, 0: it is incomplete. *done: the record is complete, and
 * reader->sample holds it until the next packet is read.
 */
size_t ms_perf_spe_packet(struct ms_perf_spe_reader *reader, const uint8_t *at, size_t n,
			  size_t offset, bool *done);

/* regs.c of the architecture: the registers that are requested, and which of them has a number. */
extern const uint64_t ms_perf_regs_mask;
extern const unsigned ms_perf_regs_count;
unsigned ms_perf_reg_at(unsigned number);

/*
 * sources.c: drops one request that an old kernel may not support, after it has refused the
 * attributes (EINVAL); false: none is left.
 */
bool ms_perf_relax(struct perf_event_attr *attr);
/* The approximate cost of a sample for the program, in nanoseconds. */
uint64_t ms_perf_cost(enum ms_run_source source);

/* clock.c: readings of the processor's counter and of perf's clock. */
struct ms_perf_clock {
	uint64_t first_counter, first_time;
	uint64_t last_counter, last_time;
	uint64_t offset; /* of this process's clock from the kernel's, which stamps samples */
};

uint64_t ms_perf_counter(void); /* of this architecture */
/* In a time namespace clocks have offsets, which this file (/proc/self/timens_offsets) contains. */
uint64_t ms_perf_clock_offset(const char *path);
void ms_perf_clock_start(struct ms_perf_clock *clock);
/* Reads both clocks again: earlier times are then converted more accurately. */
void ms_perf_clock_read(struct ms_perf_clock *clock);
uint64_t ms_perf_clock_time(const struct ms_perf_clock *clock, uint64_t counter);

/* ring.c: the records of the kernel for the events of one processor. */
struct ms_perf_ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t bytes; /* of data after the first page */
	uint8_t *aux; /* NULL: the source needs none */
	size_t aux_bytes;
	struct ms_perf_spe_reader spe;
	MS_VEC(struct ms_perf_sample) queue; /* from `next` on: not taken yet, in order of time */
	size_t next;
	MS_VEC(uint64_t) regs; /* of each in the queue, if the source has them */
};

typedef void ms_perf_each(void *arg, struct ms_perf_ring *ring,
			  const struct ms_perf_record *record);

int ms_perf_ring_map(struct ms_perf_ring *ring, size_t bytes, size_t aux_bytes, struct ms_err *err);
void ms_perf_ring_unmap(struct ms_perf_ring *ring);
/* Passes every available record to `each`, and returns its space to the kernel. */
void ms_perf_ring_read(struct ms_perf_ring *ring, const struct perf_event_attr *attr,
		       ms_perf_each *each, void *arg);

#endif
