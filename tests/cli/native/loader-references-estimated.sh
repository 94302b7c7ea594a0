# Report, JSON and page state about how many references the dynamic loader made before the tracer started, if they are many; the
# difference to Valgrind's count is the reference.
"$MEMSPY" run -q --db native.db --frontend native /bin/ls / >/dev/null || echo "native: status $?"
"$MEMSPY" run -q --db valgrind.db --frontend valgrind /bin/ls / >/dev/null || echo "valgrind: status $?"
"$MEMSPY" report --db native.db | grep -A1 '^Loader:' | tr -s ' \n' '  ' | sed 's/about [0-9.KM]* references/about N references/; s/[0-9]*%/N%/'
echo
"$MEMSPY" report --db valgrind.db | grep -c '^Loader:'
"$MEMSPY" report --db native.db --json >native.json
"$MEMSPY" report --db valgrind.db --json >valgrind.json
python3 - <<'END'
import json
native, valgrind = (json.load(open(f"{name}.json")) for name in ("native", "valgrind"))
total = lambda run: sum(run["totals"]["references"].values())
[row] = [u for u in native["run"]["untraced"] if u["who"] == "loader"]
missing = total(valgrind) - total(native)
print("close" if missing / 2 < row["times"] < missing * 2 else f'{row["times"]} estimated, {missing} missing')
END
cat >long.c <<'END'
int main(void)
{
	static volatile int sum[16];

	for (int i = 0; i < 10000000; i++)
		sum[i & 15] += i;
	return 0;
}
END
gcc -O1 -o long long.c || exit 1
"$MEMSPY" run -q --db long.db --frontend native ./long || echo "long: status $?"
"$MEMSPY" report --db long.db | grep -c '^Loader:'
sqlite3 long.db 'select count(*) from untraced'
