# An installed memspy works from its prefix, also after the prefix was moved; uninstall removes everything.
set -eu
unset MAKEFLAGS MAKELEVEL MFLAGS
make -s -C "$SRC" install-files DESTDIR="$PWD/stage" PREFIX=/opt/memspy
[ "$(ls stage)" = opt ]
mv stage/opt/memspy moved
moved/bin/memspy machine list
moved/bin/memspy machine dash --csv
moved/bin/memspy --version | grep -o "libmicrohttpd [0-9(]*"
for file in share/man/man1/memspy.1 share/man/man1/memspy-run.1 share/doc/memspy/LICENSE \
	share/bash-completion/completions/memspy share/zsh/site-functions/_memspy share/fish/vendor_completions.d/memspy.fish share/doc/memspy/formats/machine.md; do
	[ -s "moved/$file" ] || echo "missing: $file" >&2
done
for part in "$BUILD"/frontends/*; do
	[ ! -e "$part" ] || [ -e "moved/lib/memspy/${part##*/}" ] || echo "missing: $part" >&2
done
make -s -C "$SRC" uninstall DESTDIR="$PWD/" PREFIX=moved
find moved -type f >&2
