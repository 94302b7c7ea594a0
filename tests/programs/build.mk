# Programs with known answers, profiled by tests/cli/run. A comment "build: FLAGS" in a program's
# first lines replaces the usual flags.

PROGRAM_SRCS := $(sort $(wildcard tests/programs/*.c) $(wildcard tests/programs/*.cc))
PROGRAMS := $(patsubst tests/programs/%,$(BUILD)/tests/programs/%,$(basename $(PROGRAM_SRCS)))
program_flags = $(or $(shell sed -n '1,5s/.*build: \(.*[^ */]\).*/\1/p' $<),-O1 -g)

.PHONY: test-programs
test-programs: $(PROGRAMS)

$(BUILD)/tests/programs/%: tests/programs/%.c include/memspy.h
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)gcc -std=gnu17 -Iinclude -o $@ $< $(program_flags)

$(BUILD)/tests/programs/%: tests/programs/%.cc include/memspy.h
	@mkdir -p $(@D)
	$(say) CXX $<
	$(Q)g++ -std=c++17 -Iinclude -o $@ $< $(program_flags)
