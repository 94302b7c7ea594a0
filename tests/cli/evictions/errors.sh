# Wrong arguments of memspy evictions are refused with the reason and what to do.
. "$SRC/tests/cli/evictions/lib.bash"
evictions --level L3
evictions --level ''
evictions --of Matrix.Q
evictions --by Matrix
evictions --at nowhere
evictions --json --csv
evictions @7
evictions 1 2
evictions --threshold 101
true
