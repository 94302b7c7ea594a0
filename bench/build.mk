# The programs that bench/run profiles: ordinary programs, as users build them.

BENCH_FLAGS := -O2 -g -Wall -Wextra
BENCH_PROGRAMS := $(patsubst bench/programs/%,$(BUILD)/bench/%,$(basename $(sort \
	$(wildcard bench/programs/*.c) $(wildcard bench/programs/*.cc))))

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)

$(BUILD)/bench/%: bench/programs/%.c bench/programs/number.h
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) -std=c17 $(BENCH_FLAGS) -o $@ $<

$(BUILD)/bench/%: bench/programs/%.cc bench/programs/number.h
	@mkdir -p $(@D)
	$(say) CXX $<
	$(Q)$(CXX) -std=c++17 $(BENCH_FLAGS) -o $@ $<
