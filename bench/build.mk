# The programs that bench/run profiles: ordinary programs, as users build them.

BENCH_FLAGS := -O2 -g -Wall -Wextra
BENCH_PROGRAMS := $(patsubst bench/programs/%,$(BUILD)/bench/%,$(basename $(sort \
	$(wildcard bench/programs/*.c) $(wildcard bench/programs/*.cc))))

# Programs with timed phases, for bench/accuracy-time.
TIME_PROGRAMS := $(patsubst bench/time/%,$(BUILD)/bench/time/%,$(basename $(sort $(wildcard bench/time/*.c) \
	$(wildcard bench/time/*.cc))))

# Programs before and after a change, and well-tuned ones, for bench/accuracy-advice.
ADVICE_SOURCES := $(sort $(foreach s,c cc f90,$(wildcard bench/advice/*.$(s))))
ADVICE_PROGRAMS := $(foreach p,$(basename $(notdir $(ADVICE_SOURCES))),$(BUILD)/bench/advice/$(p)-before $(BUILD)/bench/advice/$(p)-after) \
	$(patsubst bench/advice/%,$(BUILD)/bench/advice/%,$(basename $(sort $(foreach s,c cc f90,$(wildcard bench/advice/tuned/*.$(s))))))

.PHONY: bench-programs time-programs advice-programs
advice-programs: $(ADVICE_PROGRAMS)
time-programs: $(TIME_PROGRAMS)
bench-programs: $(BENCH_PROGRAMS) $(BUILD)/bench/engine $(BUILD)/bench/measure $(BUILD)/bench/again $(BUILD)/bench/ranks

# Not a program to profile but a stop-watch: memspy's own parts, as unit tests link them.
BENCH_PARTS = $(call archives,$(call from,collect,$(FOLDERS)))
$(BUILD)/bench/engine: bench/engine.c bench/feed.c bench/feed.h $(BENCH_PARTS)
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(HOST_CFLAGS) $(HOST_LDFLAGS) -o $@ bench/engine.c bench/feed.c $(BENCH_PARTS) \
		$(LIBS)

# Databases of ranks, as the store writes them; a test uses it, too.
test-programs: $(BUILD)/bench/ranks
RANKS_PARTS = $(call archives,$(call from,store,$(FOLDERS)))
$(BUILD)/bench/ranks: bench/ranks.c $(RANKS_PARTS)
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(HOST_CFLAGS) $(HOST_LDFLAGS) -o $@ $< $(RANKS_PARTS) $(LIBS)

# memspy with other functions in the place of those that read traces.
$(BUILD)/bench/again: bench/again.c $(call archives,$(FOLDERS))
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(HOST_CFLAGS) $(HOST_LDFLAGS) -Wl,--wrap=ms_trace_chunks,--wrap=ms_trace_read -o $@ $< \
		$(filter $(BUILD)/obj/cli/main.o,$(call objs,cli)) $(call archives,$(FOLDERS)) $(LIBS)

# A comment "build: FLAGS" in a program's first lines adds to the usual flags.
bench_flags = $(BENCH_FLAGS) $(shell sed -n '1,5s/.*build: \(.*[^ */]\).*/\1/p' $<)

$(BUILD)/bench/%: bench/programs/%.c bench/programs/number.h
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) -std=gnu17 -pthread $(bench_flags) -o $@ $<

$(BUILD)/bench/%: bench/programs/%.cc bench/programs/number.h
	@mkdir -p $(@D)
	$(say) CXX $<
	$(Q)$(CXX) -std=c++17 $(BENCH_FLAGS) -o $@ $<

$(BUILD)/bench/time/%: bench/time/%.c bench/time/phase.h bench/time/chain.h
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) -std=gnu17 $(BENCH_FLAGS) -o $@ $< -lm

$(BUILD)/bench/time/%: bench/time/%.cc bench/time/phase.h
	@mkdir -p $(@D)
	$(say) CXX $<
	$(Q)$(CXX) -std=c++17 $(BENCH_FLAGS) -o $@ $<

# $(1): what follows the name of the program; $(2): flags.
define advice_rules
$(BUILD)/bench/advice/%$(1): bench/advice/%.c bench/advice/common.h
	@mkdir -p $$(@D)
	$$(say) CC $$<
	$$(Q)$$(CC) -std=gnu17 -pthread $$(bench_flags) $(2) -o $$@ $$< -lm
$(BUILD)/bench/advice/%$(1): bench/advice/%.cc
	@mkdir -p $$(@D)
	$$(say) CXX $$<
	$$(Q)$$(CXX) -std=c++17 $$(BENCH_FLAGS) $(2) -o $$@ $$<
$(BUILD)/bench/advice/%$(1): bench/advice/%.f90
	@mkdir -p $$(@D)
	$$(say) FC $$<
	$$(Q)gfortran -cpp -O2 -g $(2) -o $$@ $$<
endef
$(eval $(call advice_rules,-before))
$(eval $(call advice_rules,-after,-DAFTER))
$(eval $(call advice_rules,))

$(BUILD)/bench/measure: bench/measure.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) -std=gnu17 $(BENCH_FLAGS) -o $@ $<
