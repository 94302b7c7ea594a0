# bench/compile-again.awk, on fixed peaks: variation from minute to minute is reported as flat; growth is reported and fails.
verdict() { printf '%s\n' "$@" | awk -f "$SRC/bench/compile-again.awk" || echo "status $?"; }

verdict '1 100' '2 160' '3 155' '4 165'
verdict '1 100' '2 160' '3 200' '4 230'
verdict '1 40' '2 41' '3 55' '4 56'
verdict '1 400' '2 410' '3 430' '4 440'
# A program that does not run so long, or not at all, is refused.
"$SRC/bench/compile-again" "$BUILD" --minutes 1 2>&1 | head -n 1
