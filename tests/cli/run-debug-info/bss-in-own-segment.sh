# Variables in a .bss segment without bytes in the file are the program's variables.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet far "$PROGRAMS/far-bss"
expect far <<'END'
bin('walk', 'left').reads == 10 * 4096
bin('walk', 'right').by == {'left': 10 * 4096 - 512}
END
finish
