# memspy-http.so: HTTP for memspy serve, loaded by that command only. Included by the Makefile.
HTTP_SO := $(BUILD)/frontends/memspy-http.so

.PHONY: http-module
http-module: $(HTTP_SO)
all: http-module

$(BUILD)/obj/serve/http/%.o: HOST_CFLAGS += -fPIC

$(HTTP_SO): $(BUILD)/obj/serve/http/http.o $(BUILD)/obj/serve/http/connections.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(HOST_LDFLAGS) -shared -Wl,-z,now -o $@ $^ -lmicrohttpd
