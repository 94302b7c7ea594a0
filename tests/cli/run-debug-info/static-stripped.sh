# Functions of a static program without symbols are found by its unwind entries.
. "$SRC/tests/cli/run/lib.bash"
build walk -O1 -static -s
profile_quiet stripped ./walk
expect stripped <<'END'
len([c for c in report['code'] if c['name'].startswith('walk+0x')]) > 20
not [c for c in report['code'] if c['name'] == '<walk>' and c['references']['read'] > 100]
END
finish
