# The Valgrind tool: no libc, linked statically with the distribution's libcoregrind and libvex.

VG_ARCH := $(shell $(PKG_CONFIG) --variable=arch valgrind 2>/dev/null)
VG_PLATFORM := $(shell $(PKG_CONFIG) --variable=platform valgrind 2>/dev/null)
VG_LOAD := $(shell $(PKG_CONFIG) --variable=valt_load_address valgrind 2>/dev/null)
VG_INCLUDE := $(shell $(PKG_CONFIG) --variable=includedir valgrind 2>/dev/null)
VG_LIBDIR := $(shell $(PKG_CONFIG) --variable=libdir valgrind 2>/dev/null)/valgrind
VG_DEFINES := -DVGA_$(VG_ARCH)=1 -DVGO_linux=1 -DVGP_$(VG_ARCH)_linux=1 -DVGPV_$(VG_ARCH)_linux_vanilla=1

VG_CFLAGS := -std=gnu17 $(OPT) -fno-stack-protector -fno-builtin -fno-strict-aliasing -fno-pie -fno-PIC \
	-fomit-frame-pointer -Wall -Wmissing-prototypes -Wshadow -Wpointer-arith -Wstrict-prototypes $(WERROR) \
	-Wno-unused-parameter $(VG_DEFINES) -I$(VG_INCLUDE) -Isrc -Iinclude -Ifrontends -Ifrontends/valgrind \
	-Ifrontends/valgrind/$(ARCH) $(if $(filter arm64,$(VG_ARCH)),-mno-outline-atomics)
# Functions of the library that are replaced: no_line_tables.c, scheduler_lock.c.
VG_WRAPPED := vgModuleLocal_read_debuginfo_dwarf3 vgModuleLocal_create_sched_lock \
	vgModuleLocal_get_sched_lock_owner vgModuleLocal_acquire_sched_lock vgModuleLocal_release_sched_lock \
	vgPlain_acquire_BigLock
VG_LDFLAGS := -static -nodefaultlibs -nostartfiles -u _start -Wl,--build-id=none -no-pie \
	-Wl,-Ttext-segment=$(VG_LOAD) $(addprefix -Wl$(comma)--wrap=,$(VG_WRAPPED))

VG_SRCS := $(sort $(wildcard frontends/valgrind/*.c) $(wildcard frontends/valgrind/$(ARCH)/*.c))
# Without the C library, too.
VG_SHARED := schedule/hand_offs schedule/use_order
VG_OBJS := $(patsubst frontends/%.c,$(BUILD)/obj/frontends/%.o,$(VG_SRCS)) \
	$(patsubst %,$(BUILD)/obj/frontends/valgrind/shared/%.o,$(VG_SHARED))
VG_TOOL := $(BUILD)/frontends/memspy-$(VG_PLATFORM)

.PHONY: valgrind-tool
valgrind-tool: $(VG_TOOL)

$(BUILD)/obj/frontends/valgrind/%.o: frontends/valgrind/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(VG_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/frontends/valgrind/shared/%.o: src/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(VG_CFLAGS) -MMD -MP -c -o $@ $<

$(VG_TOOL): $(VG_OBJS)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(VG_LDFLAGS) -o $@ $^ -L$(VG_LIBDIR) -lcoregrind-$(VG_PLATFORM) -lvex-$(VG_PLATFORM) \
		-lgcc -lgcc-sup-$(VG_PLATFORM)
