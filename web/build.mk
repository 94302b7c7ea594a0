# The pages, put into memspy as one C file. Included by the Makefile.
# Scripts share one scope and stand in this order: what is used while loading comes first.
WEB_CSS := $(patsubst %,web/style/%.css,base tables matrix pictures print)
WEB_JS := $(patsubst %,web/base/%.js,dom remember text help model later range address copy sight table axis pictures paint tree treemap syntax crosshair) \
	$(patsubst %,web/parts/%.js,hardware intervals timing intrinsic line_use findings warnings heat_map \
		overview matrix_table matrix flame data_map layout address_heat assembly calls detail lists evictions sharing source in_range over_time set_map timeline thread_lanes threads rank_map ranks) \
	$(patsubst %,web/pages/%.js,digests served live waterfall diff_matrices diff rules search keys main)

$(BUILD)/gen/web.c: tools/embed-web web/index.html web/build.mk $(WEB_CSS) $(WEB_JS)
	@mkdir -p $(@D)
	$(say) EMBED $@
	$(Q)tools/embed-web web/index.html $@ $(WEB_CSS) $(WEB_JS)

$(BUILD)/obj/views/web.o: $(BUILD)/gen/web.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/lib/views.a: $(BUILD)/obj/views/web.o
