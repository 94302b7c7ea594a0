# JSON and CSV have exact counts, of all levels unless one is selected.
. "$SRC/tests/cli/evictions/lib.bash"
evictions --json
evictions --json --level L2 --of Matrix.Y --top 1
evictions --csv | tr -d '\r'
evictions --csv --at main | tr -d '\r'
