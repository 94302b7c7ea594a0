# Examples are ordinary programs: nothing of memspy is built into them.

EXAMPLE_CFLAGS := -std=c17 -O1 -g -fno-inline -Wall -Wextra
EXAMPLES := $(patsubst examples/%.c,$(BUILD)/examples/%,$(sort $(wildcard examples/*.c))) $(BUILD)/examples/tri \
	$(BUILD)/examples/multigrid $(addprefix $(BUILD)/examples/mesh-,pointers contiguous static)


# An MPI program, where there is a compiler for one; twice: only how it keeps its sources differs.
MPICC := $(firstword $(shell command -v mpicc.openmpi mpicc.mpich mpicc))
EXAMPLES += $(if $(MPICC),$(addprefix $(BUILD)/examples/heat-,list array))

.PHONY: examples
examples: $(EXAMPLES)

$(BUILD)/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(EXAMPLE_CFLAGS) -o $@ $< -lm

$(BUILD)/examples/heat-%: examples/heat/heat.c
	@mkdir -p $(@D)
	$(say) CC examples/heat-$*
	$(Q)$(MPICC) $(EXAMPLE_CFLAGS) $(if $(filter array,$*),-DSOURCES_IN_ARRAY) -o $@ $<

# Built where it stands: the names of its sources in reports are those of the tree.
$(BUILD)/examples/tri: $(sort $(wildcard examples/tri/*.c)) examples/tri/tri.h
	@mkdir -p $(@D)
	$(say) CC examples/tri
	$(Q)$(CC) $(EXAMPLE_CFLAGS) -pthread -o $@ $(filter %.c,$^) -lm

$(BUILD)/examples/multigrid: $(sort $(wildcard examples/multigrid/*.c)) examples/multigrid/multigrid.h
	@mkdir -p $(@D)
	$(say) CC examples/multigrid
	$(Q)$(CC) $(EXAMPLE_CFLAGS) -o $@ $(filter %.c,$^) -lm

# The same program three times: only where its matrices lie differs.
MESH_SRCS := $(addprefix examples/mesh/,main.c mesh.c smvp.c)
$(BUILD)/examples/mesh-%: $(MESH_SRCS) examples/mesh/memory_%.c examples/mesh/mesh.h
	@mkdir -p $(@D)
	$(say) CC examples/mesh-$*
	$(Q)$(CC) $(EXAMPLE_CFLAGS) $(if $(filter static,$*),-DSTATIC_MEMORY) -o $@ $(filter %.c,$^) -lm
