# make install PREFIX=/usr/local DESTDIR=   and   make uninstall, with the same variables.
# Nothing outside $(DESTDIR)$(PREFIX) is written. memspy finds its parts relative to itself, so the
# tree under the prefix may be moved. Included by the Makefile.

INSTALL_ROOT = $(DESTDIR)$(PREFIX)
INSTALL_MAN = $(INSTALL_ROOT)/share/man/man1
INSTALL_COMPLETION = $(INSTALL_ROOT)/share/bash-completion/completions
INSTALL_ZSH ?= $(INSTALL_ROOT)/share/zsh/site-functions
INSTALL_FISH = $(INSTALL_ROOT)/share/fish/vendor_completions.d
INSTALL_DOC = $(INSTALL_ROOT)/share/doc/memspy
INSTALL_COMMANDS := $(sort $(patsubst src/cli/commands/%.c,%,$(wildcard src/cli/commands/*.c)))
INSTALL_DOCS := $(wildcard README.md ARCHITECTURE.md CHANGELOG.md LICENSE)

.PHONY: install install-files uninstall
install: all
	@$(MAKE) --no-print-directory install-files

# What is built already, without building.
install-files:
	install -d $(INSTALL_ROOT)/bin $(INSTALL_ROOT)/lib/memspy $(INSTALL_ROOT)/share/memspy/machines $(INSTALL_MAN) \
		$(INSTALL_COMPLETION) $(INSTALL_ZSH) $(INSTALL_FISH) $(INSTALL_DOC)/formats $(INSTALL_DOC)/LICENSES
	install -m 755 $(BUILD)/memspy $(INSTALL_ROOT)/bin/memspy
	for part in $(BUILD)/frontends/*; do \
		[ ! -e "$$part" ] || cp -dR --preserve=mode "$$part" $(INSTALL_ROOT)/lib/memspy/ || exit 1; \
	done
	install -m 644 machines/*.ini $(INSTALL_ROOT)/share/memspy/machines/
	$(BUILD)/memspy help --man >$(INSTALL_MAN)/memspy.1
	for command in $(INSTALL_COMMANDS); do \
		$(BUILD)/memspy help --man $$command >$(INSTALL_MAN)/memspy-$$command.1 || exit 1; \
	done
	$(BUILD)/memspy help --completion bash >$(INSTALL_COMPLETION)/memspy
	$(BUILD)/memspy help --completion zsh >$(INSTALL_ZSH)/_memspy
	$(BUILD)/memspy help --completion fish >$(INSTALL_FISH)/memspy.fish
	for file in memspy.h memspy.f90 memspy_fortran.c; do \
		install -D -m 644 include/$$file $(INSTALL_ROOT)/include/$$file || exit 1; \
	done
	install -m 644 $(INSTALL_DOCS) $(INSTALL_DOC)/
	install -m 644 LICENSES/* $(INSTALL_DOC)/LICENSES/
	install -m 644 $(wildcard docs/formats/*.md) $(INSTALL_DOC)/formats/

uninstall:
	rm -f $(INSTALL_ROOT)/bin/memspy $(addprefix $(INSTALL_ROOT)/include/,memspy.h memspy.f90 memspy_fortran.c) \
		$(INSTALL_COMPLETION)/memspy $(INSTALL_ZSH)/_memspy $(INSTALL_FISH)/memspy.fish $(INSTALL_MAN)/memspy.1 \
		$(patsubst %,$(INSTALL_MAN)/memspy-%.1,$(INSTALL_COMMANDS))
	rm -rf $(INSTALL_ROOT)/lib/memspy $(INSTALL_ROOT)/share/memspy $(INSTALL_DOC)
