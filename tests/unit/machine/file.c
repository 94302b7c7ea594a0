/* Machine files: what is read, what is refused and with which sentence, what is written again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "machine/machine_priv.h"

#define HEAD "[machine]\ntext = t\n"
#define L1   "[level L1]\nsize = 32K\nways = 8\nline = 64\n"
#define TAIL "[memory]\nlatency = 100\n"
#define IPC  ", expected instructions per cycle from 0.1 to 16, with at most three decimals"

static char folder[] = "/tmp/memspy-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/m.ini", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void write_file(const char *text, size_t n)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, n, out), n);
	fclose(out);
}

static const struct bad_file {
	int line;
	const char *text;
	const char *want; /* after the path */
} bad_files[] = {
	{ __LINE__, "",
	  ": is empty, expected a machine file with [machine], [level NAME] and [memory]" },
	{ __LINE__, "\xef\xbb\xbf",
	  ":1: found the end without a section [machine], expected one of it" },
	{ __LINE__, "\xef\xbb\xbf[machine]\ntext = t\n\xef\xbb\xbf[memory]\n",
	  ":3: found '\xef\xbb\xbf[memory]', expected 'key = value' or '[section]'" },
	{ __LINE__, HEAD,
	  ":2: found the end without a section [level NAME], expected at least one" },
	{ __LINE__, HEAD L1, ":6: found the end without a section [memory], expected one of it" },
	{ __LINE__, "text = t\n", ":1: found key 'text', expected a [section] before it" },
	{ __LINE__, "[cpu]\nx = 1\n",
	  ":1: found section [cpu], expected [machine], [level NAME], [memory], [prefetch] or "
	  "[tlb]" },
	{ __LINE__, "[cpu]\n",
	  ":1: found section [cpu], expected [machine], [level NAME], [memory], [prefetch] or "
	  "[tlb]" },
	{ __LINE__, HEAD "[level]\n",
	  ":3: found section [level], expected [machine], [level NAME], [memory], [prefetch] or "
	  "[tlb]" },
	{ __LINE__, "[machine dash]\n",
	  ":1: found section [machine dash], expected [machine], [level NAME], [memory], "
	  "[prefetch] or [tlb]" },
	{ __LINE__, "[machine\n", ":1: found '[machine', expected a ']' at its end" },
	{ __LINE__, "[machine]\n" L1,
	  ":1: found [machine] without a key 'text', expected text = a line of text" },
	{ __LINE__, HEAD "[machine]\n",
	  ":3: found section [machine] again, expected it only once" },
	{ __LINE__, HEAD "colour = red\n",
	  ":3: found key 'colour' in [machine], expected one of: text, source, processors, "
	  "protocol, core, ipc, window, store-buffer, clock, load-latency, float-add-latency, "
	  "float-multiply-latency" },
	{ __LINE__, HEAD "ways = 8\n",
	  ":3: found key 'ways' in [machine], expected one of: text, source, processors, "
	  "protocol, core, ipc, window, store-buffer, clock, load-latency, float-add-latency, "
	  "float-multiply-latency" },
	{ __LINE__, HEAD "text = u\n",
	  ":3: found key 'text' again in [machine], expected it only once" },
	{ __LINE__, HEAD "just words\n",
	  ":3: found 'just words', expected 'key = value' or '[section]'" },
	{ __LINE__, HEAD "processors = 0\n",
	  ":3: found processors = '0', expected a whole number from 1 to 65536" },
	{ __LINE__, HEAD "[level L1]\nsize = big\n",
	  ":4: found size = 'big', expected a size such as 32K or 1.5M" },
	{ __LINE__, HEAD "[level L1]\nsize = 0\n",
	  ":4: found size = '0', expected a size such as 32K or 1.5M" },
	{ __LINE__, HEAD "[level L1]\nways = few\n",
	  ":4: found ways = 'few', expected a whole number from 1 to 1048576, or full" },
	{ __LINE__, HEAD "[level L1]\nline =\n",
	  ":4: found line = '', expected a number of bytes such as 64" },
	{ __LINE__, HEAD "[level L1]\nlatency = -1\n",
	  ":4: found latency = '-1', expected a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD "[level L1]\nlatency = 4294967296\n",
	  ":4: found latency = '4294967296', expected a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD "[level L1]\nlatency = nan\n",
	  ":4: found latency = 'nan', expected a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD "[level L1]\nlatency = 1000001\n",
	  ":4: found latency = '1000001', expected a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD "processors = 65537\n",
	  ":3: found processors = '65537', expected a whole number from 1 to 65536" },
	{ __LINE__, HEAD "[level L1]\nways = 1048577\n",
	  ":4: found ways = '1048577', expected a whole number from 1 to 1048576, or full" },
	{ __LINE__, HEAD "[level L1]\nsize = inf\n",
	  ":4: found size = 'inf', expected a size such as 32K or 1.5M" },
	{ __LINE__, HEAD "[level L1]\nsize = 1T\nways = 1\nline = 64\n" TAIL,
	  ":3: level L1: found 17179869184 lines, whose simulation takes 1 TiB, expected at most "
	  "4 GiB: choose a smaller size or longer lines" },
	{ __LINE__, HEAD "[level L1]\nsize = 1T\nways = 1\nline = 4\n" TAIL,
	  ":3: level L1: found 274877906944 lines, whose simulation takes 16 TiB, expected at most "
	  "4 GiB: choose a smaller size or longer lines" },
	{ __LINE__, HEAD "[level L1]\nprocessors = some\n",
	  ":4: found processors = 'some', expected a whole number from 1 to 65536, or all" },
	{ __LINE__, HEAD "[level L1]\nreplacement = mru\n",
	  ":4: found replacement = 'mru', expected lru, tree-plru, random or fifo" },
	{ __LINE__, HEAD "[level L1]\nwrite = twice\n",
	  ":4: found write = 'twice', expected back or through" },
	{ __LINE__, HEAD "[level L1]\nwrite-miss =\n",
	  ":4: found write-miss = '', expected allocate or around" },
	{ __LINE__, HEAD "[level L1]\ncontents = Exclusive\n",
	  ":4: found contents = 'Exclusive', expected neither, inclusive or exclusive" },
	{ __LINE__, HEAD "[level L1]\nprefetch = 65\n",
	  ":4: found prefetch = '65', expected a number of streams from 0 to 64" },
	{ __LINE__, HEAD "[level L1]\nprefetch = yes\n",
	  ":4: found prefetch = 'yes', expected a number of streams from 0 to 64" },
	{ __LINE__, HEAD "[level L1]\nwrite_miss = around\n",
	  ":4: found key 'write_miss' in [level L1], expected one of: size, ways, line, latency, "
	  "processors, replacement, write, write-miss, contents, prefetch, outstanding, usable" },
	{ __LINE__,
	  HEAD "[level L1]\nsize = 48K\nways = 12\nline = 64\nreplacement = tree-plru\n" TAIL,
	  ":3: level L1: found replacement = tree-plru with 12 ways, expected a number of ways "
	  "that is a power of two" },
	{ __LINE__, HEAD L1 "contents = inclusive\n" TAIL,
	  ":3: level L1: found contents = inclusive, expected neither: there is no level before "
	  "the first one" },
	{ __LINE__, HEAD L1 "contents = exclusive\n" TAIL,
	  ":3: level L1: found contents = exclusive, expected neither: there is no level before "
	  "the first one" },
	{ __LINE__,
	  HEAD L1
	  "[level L2]\nsize = 1M\nways = 8\nline = 128\nlatency = 9\ncontents = exclusive\n" TAIL,
	  ":7: level L2: found contents = exclusive with line 128, expected 64, the line of L1 "
	  "before it, whose lines come here" },
	{ __LINE__, HEAD "[level L1]\nsize = 32K\nways = 4\nline = 2048\nprefetch = 1\n" TAIL,
	  ":3: level L1: found prefetch = 1 with line 2048, expected lines of at most 1024 bytes: "
	  "a stream stays within 4096 bytes" },
	{ __LINE__, HEAD "[level L1]\nsize = 32K\nline = 64\n" TAIL,
	  ":3: found [level L1] without a key 'ways', "
	  "expected ways = a whole number from 1 to 1048576, or full" },
	{ __LINE__, HEAD L1 "[level L2]\nsize = 1M\nways = 8\nline = 64\n" TAIL,
	  ":7: found [level L2] without a key 'latency', expected latency = a whole number of "
	  "cycles from 0 to 1000000" },
	{ __LINE__, HEAD "[level L1]\nsize = 32K\nways = 8\nline = 60\n" TAIL,
	  ":3: level L1: found line 60, expected a power of two from 4 to 65536" },
	{ __LINE__, HEAD "[level L1]\nsize = 32K\nways = 7\nline = 64\n" TAIL,
	  ":3: level L1: found size 32768, expected a multiple of 448 (7 ways of 64-byte lines)" },
	{ __LINE__, HEAD L1 "latency = 4\n" TAIL,
	  ":3: level L1: found latency 4, expected 0: "
	  "a reference that the first level answers does not wait" },
	{ __LINE__, HEAD L1 L1 TAIL,
	  ":7: found [level L1] without a key 'latency', "
	  "expected latency = a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD L1 L1 "latency = 9\n" TAIL,
	  ":7: level L1: found two levels of this name, expected one" },
	{ __LINE__, HEAD L1 "[level L2]\nsize = 1M\nways = 8\nline = 32\nlatency = 9\n" TAIL,
	  ":7: level L2: found line 32, expected at least 64, the line of L1 before it" },
	{ __LINE__,
	  HEAD L1 "processors = 2\n[level L2]\nsize = 1M\nways = 8\nline = 64\nlatency = 9\n" TAIL,
	  ":8: level L2: found 1 processors, expected no fewer than share L1 before it" },
	{ __LINE__,
	  HEAD L1 "processors = 2\n[level L2]\nsize = 1M\nways = 8\nline = 64\nlatency = 9\n"
		  "processors = 3\n" TAIL,
	  ":8: level L2: found 3 processors, expected a multiple of 2, which share L1 before it" },
	{ __LINE__, HEAD "protocol = mosi\n",
	  ":3: found protocol = 'mosi', expected mesi, msi or moesi" },
	{ __LINE__, HEAD "processors = 6\n" L1 "processors = 4\n" TAIL,
	  ": level L1: found 4 processors that share a cache of a machine of 6, expected a number "
	  "that divides it, or all" },
	{ __LINE__, HEAD "processors = 4\n" L1 "processors = 8\n" TAIL,
	  ": level L1: found 8 processors that share a cache of a machine of 4, expected a number "
	  "that divides it, or all" },
	{ __LINE__, HEAD L1 TAIL "nodes = 0\n",
	  ":9: found nodes = '0', expected a whole number from 1 to 65536" },
	{ __LINE__, HEAD L1 TAIL "nodes = 2\n",
	  ": found nodes = 2 without a key 'remote-latency' in [memory], expected remote-latency = "
	  "a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD L1 TAIL "nodes = 2\nremote-latency = 200\n",
	  ": found nodes = 2 with processors = 1, expected no more nodes than processors" },
	{ __LINE__, HEAD "processors = 6\n" L1 TAIL "nodes = 4\nremote-latency = 200\n",
	  ": found nodes = 4 with processors = 6, expected as many processors on each node" },
	{ __LINE__, HEAD "processors = 8\n" L1 TAIL "nodes = 4\nremote-latency = 99\n",
	  ": found remote-latency = 99, expected at least 100, the latency of the own node's "
	  "memory" },
	{ __LINE__, HEAD L1 TAIL "peer-latency = far\n",
	  ":9: found peer-latency = 'far', expected a whole number of cycles from 0 to 1000000" },
	{ __LINE__, HEAD L1 TAIL "placement = node\n",
	  ":9: found placement = 'node', expected first-touch, interleaved or node N" },
	{ __LINE__, HEAD L1 TAIL "placement = nodes 1\n",
	  ":9: found placement = 'nodes 1', expected first-touch, interleaved or node N" },
	{ __LINE__, HEAD L1 TAIL "placement = node one\n",
	  ":9: found placement = 'node one', expected first-touch, interleaved or node N" },
	{ __LINE__, HEAD L1 TAIL "placement = node 1\n",
	  ": found placement = node 1 with nodes = 1, expected a smaller number: the first node "
	  "is 0" },
	{ __LINE__, HEAD "core = superscalar\n",
	  ":3: found core = 'superscalar', expected in-order or out-of-order" },
	{ __LINE__, HEAD "ipc = 0\n", ":3: found ipc = '0'" IPC },
	{ __LINE__, HEAD "ipc = 0.099\n", ":3: found ipc = '0.099'" IPC },
	{ __LINE__, HEAD "ipc = 16.001\n", ":3: found ipc = '16.001'" IPC },
	{ __LINE__, HEAD "ipc = 4.\n", ":3: found ipc = '4.'" IPC },
	{ __LINE__, HEAD "ipc = .5\n", ":3: found ipc = '.5'" IPC },
	{ __LINE__, HEAD "ipc = 1.0001\n", ":3: found ipc = '1.0001'" IPC },
	{ __LINE__, HEAD "ipc = 1e1\n", ":3: found ipc = '1e1'" IPC },
	{ __LINE__, HEAD "ipc = nan\n", ":3: found ipc = 'nan'" IPC },
	{ __LINE__, HEAD "ipc = 10000000000000000004\n",
	  ":3: found ipc = '10000000000000000004'" IPC },
	{ __LINE__, HEAD "window = 4097\n",
	  ":3: found window = '4097', expected a whole number of instructions from 1 to 4096" },
	{ __LINE__, HEAD "float-add-latency = 0\n",
	  ":3: found float-add-latency = '0', expected a whole number of cycles from 1 to 100" },
	{ __LINE__, HEAD "load-latency = 101\n",
	  ":3: found load-latency = '101', expected a whole number of cycles from 1 to 100" },
	{ __LINE__, HEAD "store-buffer = 0\n",
	  ":3: found store-buffer = '0', expected a whole number of entries from 1 to 1024" },
	{ __LINE__, HEAD "clock = 2.6\n",
	  ":3: found clock = '2.6', expected a whole number of MHz from 0 (not known) to 100000" },
	{ __LINE__, HEAD L1 "outstanding = 1025\n",
	  ":7: found outstanding = '1025', expected a whole number of misses from 1 to 1024" },
	{ __LINE__, HEAD L1 "usable = 0\n",
	  ":7: found usable = '0', expected a whole percentage from 1 to 100" },
	{ __LINE__, HEAD L1 "usable = 101\n",
	  ":7: found usable = '101', expected a whole percentage from 1 to 100" },
	{ __LINE__, HEAD L1 TAIL "bandwidth = 0.0001\n",
	  ":9: found bandwidth = '0.0001', expected bytes per cycle from 0 (unlimited) to 4096, "
	  "with at most three decimals" },
	{ __LINE__, HEAD L1 TAIL "bandwidth = 4096.001\n",
	  ":9: found bandwidth = '4096.001', expected bytes per cycle from 0 (unlimited) to 4096, "
	  "with at most three decimals" },
	{ __LINE__, HEAD L1 TAIL "[prefetch]\ndistance = 4097\n",
	  ":10: found distance = '4097', expected a whole number of lines from 0 (no prefetcher) "
	  "to 4096" },
	{ __LINE__, HEAD L1 TAIL "[prefetch]\nstride = 2G\n",
	  ":10: found stride = '2G', expected a size from 0 to 1G, such as 2K" },
	{ __LINE__, HEAD L1 TAIL "[prefetch]\nstreams = 0\n",
	  ":10: found streams = '0', expected a whole number of streams from 1 to 1024" },
	{ __LINE__, HEAD L1 TAIL "[prefetch]\npages = yes\n",
	  ":10: found pages = 'yes', expected stop or cross" },
	{ __LINE__, HEAD L1 TAIL "[prefetch]\n[prefetch]\n",
	  ":10: found section [prefetch] again, expected it only once" },
	{ __LINE__, HEAD L1 TAIL "[tlb]\nentries = 0\n",
	  ":10: found entries = '0', expected a whole number of entries from 1 to 1048576" },
	{ __LINE__, HEAD L1 TAIL "[tlb]\npage = 2K\n",
	  ":10: found page = '2K', expected a power of two from 4K to 64K" },
	{ __LINE__, HEAD L1 TAIL "[tlb]\nhuge-page = 4G\n",
	  ":10: found huge-page = '4G', expected 0 (none) or a power of two up to 1G, such as "
	  "2M" },
	{ __LINE__, HEAD L1 TAIL "[tlb]\npage = 64K\nhuge-page = 64K\n",
	  ": found huge-page = 64K with page = 64K, expected 0 (none) or a larger size than "
	  "page" },
	{ __LINE__, HEAD L1 TAIL "[tlb]\nwalk = 3\n",
	  ":10: found key 'walk' in [tlb], expected one of: entries, second-entries, "
	  "second-latency, walk-latency, walks, page, huge-page, huge-pages" },
	{ __LINE__, HEAD L1 "[memory]\n",
	  ":7: found [memory] without a key 'latency', "
	  "expected latency = a whole number of cycles from 0 to 1000000" },
};

static void bad_files_get_a_sentence(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(bad_files); i++) {
		struct ms_machine machine;
		struct ms_err err = { 0 };
		char want[512];

		print_message("case of line %d\n", bad_files[i].line);
		write_file(bad_files[i].text, strlen(bad_files[i].text));
		assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_EFORMAT);
		snprintf(want, sizeof(want), "%s%s", path, bad_files[i].want);
		assert_string_equal(err.text, want);
		assert_int_equal(err.code, MS_EFORMAT);
	}
}

static void strange_bytes_are_refused(void **state)
{
	static const char with_nul[] = "[machine]\ntext = a\0b\n";
	static const char red[] = "[machine]\ntext = \033[31mred\n";
	static const char full[] = "[machine]\ntext = a\n[level L1]\nsize = 1T\nline = 4\n"
				   "ways = full\nlatency = 0\n[memory]\nlatency = 9\n";
	char wide[1000];
	struct ms_machine machine;
	struct ms_err err;

	(void)state;
	write_file(with_nul, sizeof(with_nul) - 1);
	assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, ":2: found a NUL byte, expected text"));
	write_file(red, strlen(red));
	assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, ":2: found a control character, expected text"));
	write_file(full, strlen(full));
	assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, "expected at most 1048576 ways"));
	snprintf(wide, sizeof(wide), "[machine]\ntext = %900d\n", 1);
	write_file(wide, strlen(wide));
	assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, ":2: found a line that is too long, expected fewer than"));
	snprintf(wide, sizeof(wide), "[%900d]\n", 1);
	write_file(wide, strlen(wide));
	assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, ":1: found a long section name, expected [machine]"));
}

/* As editors of some systems write it: a mark of the encoding, lines that end with two bytes. */
static void an_encoding_mark(void **state)
{
	static const char text[] = "\xef\xbb\xbf[machine]\r\ntext = t\r\n" L1 TAIL;
	struct ms_machine machine;
	struct ms_err err;

	(void)state;
	write_file(text, strlen(text));
	assert_int_equal(ms_machine_load_file(&machine, path, &err), MS_OK);
	assert_string_equal(machine.text, "t");
	ms_machine_free(&machine);
}

static void a_missing_file(void **state)
{
	struct ms_machine machine;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_machine_load_file(&machine, "/no/such.ini", &err), MS_EIO);
	assert_string_equal(err.text, "cannot open machine file '/no/such.ini': "
				      "No such file or directory");
	assert_int_equal(ms_machine_load_file(&machine, "/", &err), MS_EIO);
	assert_string_equal(err.text, "cannot read '/': Is a directory");
}

static void a_whole_file(void **state)
{
	static const char text[] = "# comment \n"
				   "\t[machine] ; more\n"
				   "  text = A machine: of sorts  ; comment\n"
				   "source = nowhere\r\n"
				   "processors=4\n\n"
				   "[level L1]\n"
				   "    size = 48K\n    ways = full\n    line = 32\n"
				   "[level  second]\nsize=3M\nways=3\nline=128\nlatency=11\n"
				   "processors = all\ncontents = inclusive\nwrite = through\n"
				   "write-miss = around\nreplacement = fifo\nprefetch = 8\n"
				   "[memory]\nlatency = 123"; /* no newline at the end */
	struct ms_machine m;
	struct ms_err err = { 0 };

	(void)state;
	write_file(text, strlen(text));
	assert_int_equal(ms_machine_load_file(&m, path, &err), MS_OK);
	assert_string_equal(m.name, "m");
	assert_string_equal(m.text, "A machine: of sorts");
	assert_int_equal(m.whole.processors, 4);
	assert_int_equal(m.whole.nodes, 1);
	assert_int_equal(m.processors, 1);
	assert_int_equal(m.protocol, MS_PROTOCOL_MESI);
	assert_int_equal(m.placement, MS_PLACEMENT_FIRST_TOUCH);
	assert_int_equal(m.levels.n, 2);
	assert_int_equal(m.levels.at[0].ways, 1536);
	assert_int_equal(ms_machine_sets(&m.levels.at[0]), 1);
	assert_int_equal(m.levels.at[0].processors, 1);
	assert_string_equal(m.levels.at[0].latency_origin, "by definition");
	assert_string_equal(m.levels.at[1].name, "second");
	assert_int_equal(ms_machine_sets(&m.levels.at[1]), 8192);
	assert_int_equal(m.levels.at[1].latency, 11);
	assert_int_equal(m.levels.at[1].processors, 0);
	assert_string_equal(m.levels.at[1].origin, "file");
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		assert_int_equal(ms_machine_chosen(&m.levels.at[0], i), 0);
	assert_int_equal(m.levels.at[0].prefetch, 0);
	assert_int_equal(m.levels.at[1].replacement, MS_REPLACEMENT_FIFO);
	assert_int_equal(m.levels.at[1].write, MS_WRITE_THROUGH);
	assert_int_equal(m.levels.at[1].write_miss, MS_WRITE_MISS_AROUND);
	assert_int_equal(m.levels.at[1].contents, MS_CONTENTS_INCLUSIVE);
	assert_int_equal(m.levels.at[1].prefetch, 8);
	assert_int_equal(m.memory_latency, 123);
	assert_int_equal(m.remote_latency, 123);
	assert_int_equal(m.peer_latency, 123);
	assert_string_equal(m.peer_latency_origin, "as memory");
	assert_non_null(strstr(m.origin, "/m.ini: nowhere"));
	ms_machine_free(&m);
}

static void assert_same_level(const struct ms_machine_level *a, const struct ms_machine_level *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->ways, b->ways);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->latency, b->latency);
	assert_int_equal(a->processors, b->processors);
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		assert_string_equal(ms_machine_word(a, i), ms_machine_word(b, i));
	assert_int_equal(a->prefetch, b->prefetch);
}

static void what_is_written_is_read_again(void **state)
{
	struct ms_machine m = { .name = "m",
				.text = "a; b\nc",
				.whole = { 8, 4 },
				.processors = 3,
				.protocol = MS_PROTOCOL_MOESI,
				.placement = MS_PLACEMENT_NODE,
				.placement_node = 3,
				.memory_latency = 77,
				.remote_latency = 99,
				.peer_latency = 55,
				.memory_latency_origin = "assumed",
				.remote_latency_origin = "distances",
				.peer_latency_origin = "assumed" };
	struct ms_machine again;
	struct ms_err err = { 0 };

	(void)state;
	*ms_vec_add(&m.levels) = (struct ms_machine_level){ .name = "L1",
							    .size = 48 << 10,
							    .ways = 12,
							    .line = 64,
							    .processors = 1,
							    .origin = "a",
							    .latency_origin = "b",
							    .write = MS_WRITE_THROUGH,
							    .write_miss = MS_WRITE_MISS_AROUND,
							    .prefetch = 64,
							    .outstanding = 20,
							    .outstanding_origin = "measured" };
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "x",
		.size = 1000,
		.ways = 5,
		.line = 64,
		.latency = 3,
		.processors = 2,
		.origin = "a",
		.latency_origin = "b",
		.replacement = MS_REPLACEMENT_RANDOM,
		.write_miss = MS_WRITE_MISS_AROUND,
		.contents = MS_CONTENTS_INCLUSIVE,
	};
	m.levels.at[1].size = 5 * 64 * 7;
	*ms_vec_add(&m.levels) = (struct ms_machine_level){
		.name = "LL",
		.size = UINT64_C(3) << 30,
		.ways = 3,
		.line = 64,
		.latency = 50,
		.origin = "a",
		.latency_origin = "b",
		.contents = MS_CONTENTS_EXCLUSIVE,
		.usable = 40,
		.usable_origin = "measured",
	};
	/* Every figure has a value of its own, within its bounds. */
	for (size_t i = 0; i < MS_FIGURES; i++) {
		const struct ms_machine_figure_row *row = &ms_machine_figures[i];

		*ms_machine_figure_at(&m.core, (enum ms_machine_figure)i) =
			row->form == MS_FORM_MILLI  ? 1001 + 10 * (uint32_t)i
			: row->form == MS_FORM_SIZE ? 1234
			: row->form == MS_FORM_PAGE ? UINT32_C(4096) << (i % 4)
			: row->form == MS_FORM_WORD ? row->most
						    : 10 + (uint32_t)i;
		m.figure_origins[i] = "measured";
	}
	m.core.huge_page = 32 << 20;
	FILE *out = fopen(path, "w");
	ms_machine_write(&m, out);
	fclose(out);

	assert_int_equal(ms_machine_load_file(&again, path, &err), MS_OK);
	assert_string_equal(again.text, "a, b c");
	for (size_t i = 0; i < MS_FIGURES; i++) {
		enum ms_machine_figure figure = (enum ms_machine_figure)i;

		print_message("%s\n", ms_machine_figures[i].key);
		assert_int_equal(ms_machine_figure_of(&again.core, figure),
				 ms_machine_figure_of(&m.core, figure));
		assert_string_equal(again.figure_origins[i], "file");
	}
	assert_int_equal(again.core.outstanding, 20);
	assert_int_equal(again.levels.at[0].outstanding, 20);
	assert_int_equal(again.levels.at[1].outstanding, MS_ASSUMED_OUTSTANDING);
	assert_string_equal(again.levels.at[1].outstanding_origin, "assumed");
	assert_int_equal(again.levels.at[1].usable, 0);
	assert_int_equal(again.levels.at[2].usable, 40);
	assert_int_equal(again.whole.processors, 8);
	assert_int_equal(again.whole.nodes, 4);
	assert_int_equal(again.processors, 1);
	assert_int_equal(again.protocol, MS_PROTOCOL_MOESI);
	assert_int_equal(again.placement, MS_PLACEMENT_NODE);
	assert_int_equal(again.placement_node, 3);
	assert_int_equal(again.memory_latency, 77);
	assert_int_equal(again.remote_latency, 99);
	assert_int_equal(again.peer_latency, 55);
	assert_int_equal(again.levels.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_same_level(&again.levels.at[i], &m.levels.at[i]);
	ms_machine_free(&again);
	ms_vec_free(&m.levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_files_get_a_sentence),
		cmocka_unit_test(strange_bytes_are_refused),
		cmocka_unit_test(an_encoding_mark),
		cmocka_unit_test(a_missing_file),
		cmocka_unit_test(a_whole_file),
		cmocka_unit_test(what_is_written_is_read_again),
	};

	return cmocka_run_group_tests_name("machine_file", tests, make_folder, remove_folder);
}
