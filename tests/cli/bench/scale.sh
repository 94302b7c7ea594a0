# bench/scale.awk, on fixed results: it distinguishes constant, linear and quadratic cost.
scale() { awk -v unit=thing -f "$SRC/bench/scale.awk"; }

#     name size  run: s cpu own tool     report: s cpu own tool  bytes of the database
scale <<'RESULTS'
case 250  1 1.00 20480  40960    1 0.10 1 0  1048576
case 500  2 1.50 51200  81920    1 0.40 1 0  3145728
case 1000 3 2.50 112640 245760   1 1.60 1 0  7340032
RESULTS
scale <<'RESULTS'
case 1 1 0.50 20480 0  1 0.10 1 0  1048576
case 2 1 0.60 20480 0  1 0.10 1 0  1048576
case 4 1 0.40 20480 0  1 0.10 1 0  1048576
RESULTS
# Of a case that failed half-way only the rows are shown.
scale <<'RESULTS'
case 250  1 1.00 20480  40960    1 0.10 1 0  1048576
RESULTS
