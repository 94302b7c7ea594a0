# The native front-end: a shared object that is preloaded into the program. No libc inside, only
# general registers in its C code, everything hidden but the functions that it stands in front of.
# Built where there is a folder for the architecture.

NATIVE_DIR := frontends/native
ifneq ($(wildcard $(NATIVE_DIR)/interpose/$(ARCH)/interpose.S),)
NATIVE_FOLDERS := runtime maps unwind heap syscalls signals tracer sampling interpose
# Atomic operations in line: the library's own would not be ours.
NATIVE_ARCH_CFLAGS := $(if $(filter x86-64,$(ARCH)),-fcf-protection=none,-mno-outline-atomics -ffixed-x18)
NATIVE_CFLAGS := -std=gnu17 $(OPT) -ffreestanding -fno-builtin -fno-stack-protector -fno-tree-loop-distribute-patterns \
	$(NATIVE_ARCH_CFLAGS) -mgeneral-regs-only -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-exceptions \
	-fno-asynchronous-unwind-tables -Wall -Wextra -Wmissing-prototypes -Wshadow -Wpointer-arith -Wstrict-prototypes \
	-Wno-unused-parameter $(WERROR) -Isrc -Iinclude -Ifrontends -I$(NATIVE_DIR) \
	$(foreach f,runtime unwind signals tracer,-I$(NATIVE_DIR)/$(f)/$(ARCH))
NATIVE_SRCS := $(sort $(wildcard $(NATIVE_DIR)/*.c $(foreach f,$(NATIVE_FOLDERS),$(NATIVE_DIR)/$(f)/*.c $(NATIVE_DIR)/$(f)/$(ARCH)/*.c)))
NATIVE_ASMS := $(sort $(wildcard $(foreach f,$(NATIVE_FOLDERS),$(NATIVE_DIR)/$(f)/$(ARCH)/*.S)))
NATIVE_EXPORTS := $(NATIVE_DIR)/interpose/$(ARCH)/exports.lds
NATIVE_OBJS := $(patsubst frontends/%.c,$(BUILD)/obj/frontends/%.o,$(NATIVE_SRCS)) \
	$(patsubst frontends/%.S,$(BUILD)/obj/frontends/%.S.o,$(NATIVE_ASMS))
NATIVE_SO := $(BUILD)/frontends/memspy-native.so
# The first constructor of all must be ours, and nothing may be looked up when the program runs.
NATIVE_LDFLAGS := -shared -nostdlib -Wl,-z,initfirst,-z,now,-z,noexecstack,-Bsymbolic,--build-id=none \
	-Wl,--version-script=$(NATIVE_EXPORTS)

# Debian has Zydis as a shared library only.
NATIVE_LIBS := $(if $(filter x86-64,$(ARCH)),-lZydis)

.PHONY: native-frontend
native-frontend: $(NATIVE_SO)
all: native-frontend

$(BUILD)/obj/$(NATIVE_DIR)/%.o: $(NATIVE_DIR)/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(NATIVE_CFLAGS) -include $(NATIVE_DIR)/runtime/hidden.h -MMD -MP -c -o $@ $<

$(BUILD)/obj/$(NATIVE_DIR)/%.S.o: $(NATIVE_DIR)/%.S
	@mkdir -p $(@D)
	$(say) AS $<
	$(Q)$(CC) $(NATIVE_CFLAGS) -MMD -MP -c -o $@ $<

$(NATIVE_SO): $(NATIVE_OBJS) $(NATIVE_EXPORTS)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(NATIVE_LDFLAGS) -o $@ $(NATIVE_OBJS) $(NATIVE_LIBS)
endif

# They take the decoder in themselves, on any architecture.
$(BUILD)/tests/unit/native/aarch64 $(BUILD)/tests/unit/native/aarch64_operands $(BUILD)/tests/unit/native/processor: \
	$(wildcard $(NATIVE_DIR)/tracer/aarch64/instruction_*.c $(NATIVE_DIR)/tracer/aarch64/*.h)
$(BUILD)/tests/unit/native/x86_64_operands: \
	$(wildcard $(NATIVE_DIR)/tracer/x86-64/instruction_operands.c $(NATIVE_DIR)/tracer/x86-64/*.h)
$(BUILD)/tests/unit/native/x86_64_templates: private UNIT_CFLAGS := -Ifrontends -I$(NATIVE_DIR) \
	$(foreach f,runtime unwind signals tracer,-I$(NATIVE_DIR)/$(f)/x86-64) -Wno-switch-enum
$(BUILD)/tests/unit/native/x86_64_templates: \
	$(wildcard $(NATIVE_DIR)/tracer/x86-64/instruction_*.c $(NATIVE_DIR)/tracer/x86-64/*.h)
