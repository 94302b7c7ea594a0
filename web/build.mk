# The pages, put into memspy as one C file. Included by the Makefile.
# Scripts share one scope and stand in this order: what is used while loading comes first.
WEB_CSS := $(addprefix web/,base.css tables.css matrix.css pictures.css print.css)
WEB_JS := $(addprefix web/,dom.js text.js help.js hardware.js intervals.js model.js sight.js table.js pictures.js timing.js findings.js overview.js matrix.js detail.js lists.js evictions.js \
	sharing.js source.js timeline.js threads.js served.js live.js diff.js \
	rules.js main.js)

$(BUILD)/gen/web.c: tools/embed-web web/index.html web/build.mk $(WEB_CSS) $(WEB_JS)
	@mkdir -p $(@D)
	$(say) EMBED $@
	$(Q)tools/embed-web web/index.html $@ $(WEB_CSS) $(WEB_JS)

$(BUILD)/obj/views/web.o: $(BUILD)/gen/web.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/lib/views.a: $(BUILD)/obj/views/web.o
