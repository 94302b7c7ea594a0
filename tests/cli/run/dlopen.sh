# A library loaded and unloaded while the program runs, twice: its variables and its code.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet dlopen "$PROGRAMS/dlopen" "$PROGRAMS/plugin"
expect dlopen <<'END'
bin('fill', 'plugin_table').writes == 2 * 700
bin('fill', 'plugin_hidden').writes == 2 * 300
data('plugin_table').kind == 'static'
code('fill').module.endswith('/plugin')
code('fill').file.endswith('/plugin.c')
END
finish
