# A library that is loaded and unloaded twice has its variables and code named.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet dlopen "$PROGRAMS/dlopen" "$PROGRAMS/plugin"
expect dlopen <<'END'
bin('fill', 'plugin_table').writes == 2 * 700
bin('fill', 'plugin_hidden').writes == 2 * 300
data('plugin_table').kind == 'static'
code('fill').module.endswith('/plugin')
code('fill').file.endswith('/plugin.c')
END

# Two of the same size: the second comes to lie where the first was. Each keeps what is its own.
profile_quiet both "$PROGRAMS/dlopen" "$PROGRAMS/plugin" "$PROGRAMS/plugin-b"
[ "$(sort -u both.out | wc -l)" = 1 ] || fail "they were not loaded at one place: $(cat both.out)"
expect both <<'END'
bin('fill', 'plugin_table').writes == 2 * 700
bin('fill', 'plugin_hidden').writes == 2 * 300
bin('fill', 'other_table').writes == 2 * 600
bin('fill', 'other_hidden').writes == 2 * 200
sorted(c['module'].split('/')[-1] for c in report['code'] if c['name'] == 'fill') == ['plugin', 'plugin-b']
set(names('unknown')) <= {'<freed>'}
END
finish
