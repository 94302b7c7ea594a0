/* symbols/module.c and debugfile.c: opening, separate debug files, sections, broken files. */
#include <inttypes.h>

#include "unit/symbols/build.h"

static const char source[] = "int shared_table[64] = { 1 };\n"
			     "_Thread_local long counter;\n"
			     "__attribute__((noinline)) int step(int n)\n"
			     "{\n"
			     "	counter += n;\n"
			     "	return shared_table[n & 63];\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	(void)argv;\n"
			     "	return step(argc) - 1;\n"
			     "}\n";

/* Compiles the program and gives the address of step(), as nm shows it. */
static uint64_t compile(const char *options)
{
	unsigned long address = 0;

	build_write("small.c", source);
	build_run("gcc -O1 %s small.c -o small && nm small | sed -n 's/ T step$//p' > step.txt",
		  options);
	FILE *f = fopen(build_path("step.txt"), "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lx", &address), 1);
	fclose(f);
	return address;
}

static void expect_known(const char *program, uint64_t step)
{
	struct ms_symbols_frame f[4];
	struct ms_symbols_module *m = build_open(program);

	assert_int_equal(ms_symbols_module_debug(m), MS_DEBUG_DWARF);
	assert_int_equal(ms_symbols_module_frames(m, step, f, 4), 1);
	assert_string_equal(f[0].function, "step");
	assert_string_equal(f[0].file, build_path("small.c"));
	assert_int_equal(f[0].line, 5);
	assert_int_equal(f[0].entry, step);
	ms_symbols_module_close(m);
}

static void expect_unknown(const char *program, uint64_t step)
{
	struct ms_symbols_frame f[4];
	struct ms_symbols_module *m = build_open(program);

	/* Stripped: the unwind tables still show where the function begins. */
	assert_int_equal(ms_symbols_module_debug(m), MS_DEBUG_SYMTAB);
	assert_int_equal(ms_symbols_module_frames(m, step + 1, f, 4), 1);
	assert_true(f[0].nameless);
	assert_int_equal(f[0].entry, step);
	char name[64];
	snprintf(name, sizeof(name), "%s+0x%" PRIx64, program, step);
	assert_string_equal(f[0].function, name);
	assert_null(f[0].file);
	ms_symbols_module_close(m);
}

static void test_plain(void **state)
{
	(void)state;
	expect_known("small", compile("-g"));
	expect_known("small", compile("-g -no-pie"));
	expect_known("small", compile("-gdwarf-4 -gz"));
}

static void test_debug_file_by_build_id(void **state)
{
	uint64_t step = compile("-g -Wl,--build-id=sha1");

	(void)state;
	struct ms_symbols_module *m = build_open("small");
	char id[64];
	snprintf(id, sizeof(id), "%s", ms_symbols_module_build_id(m));
	ms_symbols_module_close(m);
	assert_int_equal(strlen(id), 40);

	build_run("mkdir -p debug/.build-id/%.2s && "
		  "objcopy --only-keep-debug small debug/.build-id/%.2s/%s.debug && strip small",
		  id, id, id + 2);
	expect_known("small", step);
	/* A file of that name that belongs to another program is not taken. */
	build_run("echo 'int main(void) { return 0; }' > other.c && gcc -g other.c -o other && "
		  "objcopy --only-keep-debug other debug/.build-id/%.2s/%s.debug",
		  id, id + 2);
	expect_unknown("small", step);
	build_run("rm -r debug");
	expect_unknown("small", step);
}

static void test_debug_file_by_link(void **state)
{
	static const char *const places[] = { ".", ".debug", "debug$PWD" };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(places); i++) {
		/* Without a build-id the checksum decides. */
		uint64_t step = compile("-g -Wl,--build-id=none");

		build_run("mkdir -p %s && objcopy --only-keep-debug small %s/small.dbg && "
			  "objcopy --add-gnu-debuglink=%s/small.dbg small && strip small",
			  places[i], places[i], places[i]);
		expect_known("small", step);
		build_run("printf x >> %s/small.dbg", places[i]);
		expect_unknown("small", step);
		build_run("rm %s/small.dbg", places[i]);
		expect_unknown("small", step);
	}
}

static void test_sections_and_tls(void **state)
{
	bool data = false, bss = false, rodata = false;
	size_t n;

	(void)state;
	compile("-g");
	struct ms_symbols_module *m = build_open("small");
	const struct ms_symbols_section *s = ms_symbols_module_sections(m, &n);
	for (size_t i = 0; i < n; i++) {
		data |= strcmp(s[i].name, ".data") == 0 && s[i].size >= 256;
		bss |= strcmp(s[i].name, ".bss") == 0;
		rodata |= strcmp(s[i].name, ".rodata") == 0;
		assert_string_not_equal(s[i].name, ".text");
		assert_string_not_equal(s[i].name, ".tbss");
		assert_true(s[i].size > 0);
		if (i > 0)
			assert_true(s[i].offset >= s[i - 1].offset + s[i - 1].size);
	}
	assert_true(data && bss && rodata);
	assert_int_equal(ms_symbols_module_tls_size(m), 8);
	assert_int_equal(ms_symbols_module_tls_align(m), 8);
	ms_symbols_module_close(m);
}

static void test_what_is_no_module(void **state)
{
	struct ms_symbols_module *m;
	struct ms_err err;

	(void)state;
	build_write("text", "hello, I am no program\n");
	assert_int_equal(ms_symbols_module_open(&m, build_path("nothing"), &err), MS_EIO);
	assert_non_null(strstr(err.text, "nothing"));
	assert_int_equal(ms_symbols_module_open(&m, build_path("text"), &err), MS_EFORMAT);
	assert_null(m);
	assert_int_equal(ms_symbols_module_open(&m, build_folder, &err), MS_EFORMAT);
	assert_null(m);
	/* A pipe without a writer does not block. */
	build_run("mkfifo pipe");
	assert_int_equal(ms_symbols_module_open(&m, build_path("pipe"), &err), MS_EFORMAT);
	assert_non_null(strstr(err.text, "pipe: not a regular file"));
	assert_int_equal(ms_symbols_module_open(&m, "/dev/zero", &err), MS_EFORMAT);
	ms_symbols_module_close(NULL);
}

static void ask_everything(const char *path)
{
	struct ms_symbols_module *m;
	struct ms_symbols_frame f[8];
	struct ms_symbols_receiver r;
	size_t n;

	if (ms_symbols_module_open(&m, path, NULL) != MS_OK)
		return;
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);
	for (size_t i = 0; i < n; i++)
		assert_true(v[i].size > 0 && v[i].name != NULL);
	ms_symbols_module_sections(m, &n);
	for (uint64_t pc = 0x1000; pc < 0x1400; pc += 3) {
		ms_symbols_module_frames(m, pc, f, 8);
		ms_symbols_module_receiver(m, pc, &r);
	}
	ms_symbols_module_close(m);
}

/* Files with bytes overwritten or cut off: anything may be unknown, nothing may crash or hang. */
static void test_broken_files(void **state)
{
	static const char *const options[] = { "-g", "-gdwarf-4" };
	unsigned seed = 12345;

	(void)state;
	for (size_t k = 0; k < MS_COUNT(options); k++) {
		compile(options[k]);
		FILE *f = fopen(build_path("small"), "r");
		assert_non_null(f);
		static unsigned char good[1 << 20], bad[1 << 20];
		size_t size = fread(good, 1, sizeof(good), f);
		fclose(f);
		assert_true(size > 4096 && size < sizeof(good));
		for (int round = 0; round < 150; round++) {
			size_t cut = round % 10 == 9 ? (size_t)rand_r(&seed) % size : size;

			memcpy(bad, good, size);
			for (int hits = 0; hits < 1 << (round % 8); hits++)
				bad[(size_t)rand_r(&seed) % size] = (unsigned char)rand_r(&seed);
			f = fopen(build_path("broken"), "w");
			assert_non_null(f);
			assert_int_equal(fwrite(bad, 1, cut, f), cut);
			fclose(f);
			ask_everything(build_path("broken"));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_debug_file_by_build_id),
		cmocka_unit_test(test_debug_file_by_link),
		cmocka_unit_test(test_sections_and_tls),
		cmocka_unit_test(test_what_is_no_module),
		cmocka_unit_test(test_broken_files),
	};

	return cmocka_run_group_tests(tests, build_setup, build_teardown);
}
