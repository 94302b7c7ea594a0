# Fuzz targets. Built twice: with replay.c over the stored inputs (a part of make test), and with
# libFuzzer, by clang, into a folder of its own (make fuzz).
#
#   make fuzz                                 every target for FUZZ_SECONDS (600)
#   make fuzz FUZZ=wire FUZZ_SECONDS=60       one of them (or several), for a minute

FUZZ_TARGETS := wire trace lackey din champsim machine dwarf database request perf rules
FUZZ ?= $(FUZZ_TARGETS)
FUZZ_SECONDS ?= 600
FUZZ_BUILD ?= build-fuzz
FUZZ_CC ?= clang

FUZZ_SUPPORT := tests/fuzz/support.c tests/fuzz/import.c
FUZZ_LIBS = $(call archives,$(call from,serve,$(FOLDERS)))
FUZZ_CFLAGS = $(HOST_CFLAGS) -Itests -DFUZZ_OBJECTS='"$(abspath $(BUILD))/tests/fuzz/objects"' \
	-DFUZZ_DBS='"$(abspath tests/dbs)"'
FUZZ_OBJECTS := $(addprefix $(BUILD)/tests/fuzz/objects/,plain optimised old stripped packed)

.PHONY: fuzz-tests fuzz-engines fuzz
fuzz-tests: $(addprefix $(BUILD)/tests/fuzz/,$(FUZZ_TARGETS)) $(FUZZ_OBJECTS)
fuzz-engines: $(addprefix $(BUILD)/fuzz/,$(FUZZ_TARGETS)) $(FUZZ_OBJECTS)

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(FUZZ_SUPPORT) $(wildcard tests/fuzz/*.h) \
		$(FUZZ_LIBS)
	@mkdir -p $(@D)
	$(say) TEST $@
	$(Q)$(CC) $(FUZZ_CFLAGS) $(HOST_LDFLAGS) -o $@ $(filter %.c,$^) $(FUZZ_LIBS) $(LIBS)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(FUZZ_SUPPORT) $(wildcard tests/fuzz/*.h) $(FUZZ_LIBS)
	@mkdir -p $(@D)
	$(say) FUZZ $@
	$(Q)$(CC) $(FUZZ_CFLAGS) $(HOST_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.c,$^) $(FUZZ_LIBS) $(LIBS)

# What the target dwarf corrupts: one source, as compilers and distributions make programs of it.
fuzz_object_flags = $(if $(filter plain,$(@F)),-O0 -g,$(if $(filter old,$(@F)),-O2 -gdwarf-4,-O2 -g))
$(FUZZ_OBJECTS): tests/fuzz/object.cc
	@mkdir -p $(@D)
	$(say) CXX $@
	$(Q)g++ -std=c++17 $(fuzz_object_flags) $(if $(filter stripped,$(@F)),-s) $(if $(filter packed,$(@F)),-gz) -o $@ $<

fuzz:
	@echo 'int LLVMFuzzerTestOneInput(const char *, long); int LLVMFuzzerTestOneInput(const char *at, long n)' \
		'{ return at == 0 && n != 0; }' | $(FUZZ_CC) -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null || { \
		echo "make fuzz needs clang and its libFuzzer, and $(FUZZ_CC) cannot build with it." \
		"On Debian: apt-get install clang libclang-rt-dev" >&2; exit 1; }
	@$(MAKE) --no-print-directory CC=$(FUZZ_CC) WERROR= BUILD=$(FUZZ_BUILD) \
		SAN=address,undefined,fuzzer-no-link OPT='-O1 -g -fno-sanitize-recover=undefined -Wno-unknown-warning-option' fuzz-engines
	@$(MAKE) --no-print-directory fuzz-tests >/dev/null
	@tests/fuzz/run $(BUILD) $(FUZZ_BUILD) $(FUZZ_SECONDS) $(FUZZ)
