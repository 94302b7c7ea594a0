# Examples are ordinary programs: nothing of memspy is built into them.

EXAMPLE_CFLAGS := -std=c17 -O1 -g -fno-inline -Wall -Wextra
EXAMPLES := $(patsubst examples/%.c,$(BUILD)/examples/%,$(sort $(wildcard examples/*.c)))

.PHONY: examples
examples: $(EXAMPLES)

$(BUILD)/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(EXAMPLE_CFLAGS) -o $@ $< -lm
