# memspy - see README.md.  The two commands for newcomers:  make demo   make test
#
#   make            build everything into build/
#   make test       install what is missing, build, run every test   (SAN=address,undefined  SAN=thread  TINY=1)
#   make bench      memspy and its peers side by side, in one table             (BENCH='--rounds 5 --only gzip')
#   make accuracy   compares sampled runs with whole ones: writes docs/accuracy/     (ACCURACY='--only "triad|join"')
#   make accuracy-time   compares times of simulated and sampled runs with the clock: writes docs/accuracy/time.md     (ACCURACY_TIME='--set fit')
#   make accuracy-advice   compares findings with measured gains of changes: writes docs/accuracy/advice.md     (ACCURACY_ADVICE='--only list')
#   make pmu-study  accuracy of simulated hardware monitors: writes docs/accuracy/ (PMU_STUDY='--only triad')
#   make bench-sampled   of these only what sampling costs a program that runs natively in between
#   make bench-scale   very large programs, and jobs of 10,000 ranks: how time and memory grow
#   make soak       programs natively and in random modes of memspy, ten minutes   (SOAK_SECONDS=60  SOAK='--only git')
#   make mutate     faults in the code that tests must notice, about an hour   (MUTATE='--only src/engine/ -j 2')
#   make fuzz       hostile input, ten minutes a target              (FUZZ=wire  FUZZ_SECONDS=60)
#   make install    PREFIX=/usr/local  DESTDIR=
#   make deb        Debian packages, in build-deb/

VERSION := 0.1.0
PREFIX ?= /usr/local
SAN ?=
TINY ?=

comma := ,
BUILD ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(TINY),-tiny)

CC ?= gcc
PKG_CONFIG ?= pkg-config
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 \
	-Wswitch-enum -Wpointer-arith -Wwrite-strings -Werror=implicit-function-declaration
WERROR ?= -Werror
OPT ?= -O2 -g
EXTRA_CFLAGS ?=
EXTRA_LDFLAGS ?=

# make V=1 shows the commands.
ifeq ($(V),1)
say = @:
Q :=
else
say = @printf '  %-6s %s\n'
Q := @
endif

# Five flag sets: the memspy process, the front-ends (frontends/*/build.mk), tests, examples.
# No fused operations: figures are the same to their last digit on every architecture.
HOST_CFLAGS := -std=gnu17 -ffp-contract=off -D_GNU_SOURCE $(WARN) $(WERROR) $(OPT) -pthread -Isrc -Iinclude -I$(BUILD)/gen \
	-DMS_VERSION='"$(VERSION)"' $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -Wno-format-truncation) $(if $(TINY),-DMS_TINY) \
	$(EXTRA_CFLAGS)
HOST_LDFLAGS := -pthread $(if $(SAN),-fsanitize=$(SAN)) $(EXTRA_LDFLAGS)
LIBS = -ldw -lelf -lsqlite3 -linih -liberty -lzstd -lz $(if $(filter x86-64,$(ARCH)),-lZydis) -lm
TEST_LIBS = -lcmocka

# Top to bottom: a folder links with itself and what stands behind it.
FOLDERS := cli serve views advise ranks analysis collect launch hardware name estimate perf store run engine bins symbols machine decode schedule stream base

# A folder's sources are those in it and its sub-folders, at any depth. Folders named after an architecture hold
# what differs between architectures, under the same file names: those of other architectures are left out, and
# so are modules that are loaded at run time, which have rules of their own.
ARCH := $(subst _,-,$(firstword $(subst -, ,$(shell $(CC) -dumpmachine))))
ARCHS := aarch64 x86-64
LOADED := src/serve/http
SRCS := $(sort $(shell find src -name '*.c' $(foreach a,$(filter-out $(ARCH),$(ARCHS)),-not -path '*/$(a)/*') \
	$(foreach m,$(LOADED),-not -path '$(m)/*')))
srcs = $(filter src/$(1)/%,$(SRCS))
objs = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(call srcs,$(1)))
from = $(if $(filter $(1),$(firstword $(2)))$(if $(2),,none),$(2),$(call from,$(1),$(wordlist 2,99,$(2))))
archives = $(foreach f,$(1),$(BUILD)/lib/$(f).a)

.PHONY: all
all: $(BUILD)/memspy valgrind-tool examples

define folder_rule
$(BUILD)/lib/$(1).a: $(call objs,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(say) AR $$@
	$$(Q)ar rcs $$@ $$^
endef
$(foreach f,$(FOLDERS),$(eval $(call folder_rule,$(f))))

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/memspy: $(call archives,$(FOLDERS))
	$(say) LINK $@
	$(Q)$(CC) $(HOST_LDFLAGS) -o $@ $(filter $(BUILD)/obj/cli/main.o,$(call objs,cli)) $^ $(LIBS)

# --- unit tests: tests/unit/<folder>/<topic>.c links with its folder and the layers below it; of a folder
# that is not in src/ it takes the sources in itself ---
UNIT_SRCS := $(sort $(wildcard tests/unit/*/*.c))
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(UNIT_SRCS))
unit_folder = $(word 3,$(subst /, ,$(1)))

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

define unit_rule
$(BUILD)/$(1:.c=): $(1) $(wildcard tests/unit/*.h tests/unit/*/*.h tests/engine/*.[ch]) \
		$(call archives,$(call from,$(call unit_folder,$(1)),$(FOLDERS)))
	@mkdir -p $$(@D)
	$$(say) TEST $$@
	$$(Q)$(CC) $(HOST_CFLAGS) $$(UNIT_CFLAGS) -MMD -MP -MF $$@.d -MT $$@ -Itests $(HOST_LDFLAGS) -o $$@ $(1) \
		$(call archives,$(call from,$(call unit_folder,$(1)),$(FOLDERS))) $(LIBS) $(TEST_LIBS)
endef
$(foreach t,$(UNIT_SRCS),$(eval $(call unit_rule,$(t))))
# It traces itself with memspy and both front-ends.
$(BUILD)/tests/unit/collect/traced_operands: | all

include web/build.mk
include src/serve/build.mk
include frontends/valgrind/build.mk
include frontends/native/build.mk
include examples/build.mk
include tests/programs/build.mk
include bench/build.mk
include tests/fuzz/build.mk

# --- what newcomers and CI type ---
.PHONY: deb deps demo test check bench bench-sampled bench-scale pmu-study accuracy accuracy-time accuracy-advice mutate soak clean install format
deps:
	@tools/deps

demo: deps
	@$(MAKE) --no-print-directory all
	@tools/demo $(BUILD)

test: deps
	@$(MAKE) --no-print-directory check

check: all unit-tests test-programs fuzz-tests $(BUILD)/bench/engine
	@tests/browser/install $(BUILD)
	@tests/run $(BUILD)

bench: deps
	@$(MAKE) --no-print-directory all bench-programs
	@bench/overview $(BUILD) $(BENCH)

bench-sampled: deps
	@$(MAKE) --no-print-directory all bench-programs
	@bench/sampled $(BUILD) $(BENCH)

bench-scale: deps
	@$(MAKE) --no-print-directory all bench-programs
	@bench/scale $(BUILD) $(BENCH)
	@$(if $(BENCH),,bench/scale-ranks $(BUILD))

pmu-study: deps
	@$(MAKE) --no-print-directory all bench-programs
	@bench/pmu-study $(BUILD) $(PMU_STUDY)

accuracy: deps
	@$(MAKE) --no-print-directory all bench-programs
	@bench/accuracy $(BUILD) $(ACCURACY)

accuracy-time: deps
	@$(MAKE) --no-print-directory all time-programs
	@bench/accuracy-time $(BUILD) $(or $(ACCURACY_TIME),--set all --sources run$(comma)calibrated$(comma)sample$(comma)joined --functions \
		--page docs/accuracy/time.md)

accuracy-advice: deps
	@$(MAKE) --no-print-directory all advice-programs
	@bench/accuracy-advice $(BUILD) $(or $(ACCURACY_ADVICE),--page docs/accuracy/advice.md)

soak: deps
	@$(MAKE) --no-print-directory all test-programs bench-programs
	@tests/soak/run $(BUILD) $(SOAK)

mutate: deps
	@$(MAKE) --no-print-directory all unit-tests test-programs
	@tools/mutate $(BUILD) $(MUTATE)

deb:
	@tools/deb

format:
	clang-format -i $$(git ls-files '*.[ch]')

clean:
	rm -rf build build-*

include tools/install.mk

-include $(shell find $(BUILD)/obj $(BUILD)/tests/unit -name '*.d' 2>/dev/null)
