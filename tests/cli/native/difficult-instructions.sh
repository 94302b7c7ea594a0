# Instructions that are hard to translate, with faults and signals among them, print the same and end in the same way traced as
# natively; so do gzip, perl, python and others.
. "$SRC/tests/cli/run/lib.bash"
[ "$(uname -m)" = x86_64 ] && own=-mno-red-zone
gcc -std=gnu17 -O1 -w -no-pie $own -o windows "$SRC/tests/cli/native/windows.c" || fail "gcc windows.c"

same() {
	local name=$1 status
	shift
	"$@" >alone.out 2>/dev/null
	status=$?
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --trace $name.trace -- "$@" >$name.out 2>$name.err
	[ $? = $status ] || fail "$name: ends otherwise: $(cat $name.err)"
	cmp $name.out alone.out || fail "$name: prints something else"
	"$MEMSPY" check $name.trace >checked || fail "$name: $(cat checked)"
}

for mode in flags strings operands branches vectors faults made signals; do
	same $mode ./windows $mode
	# It stays traced, but where the C library uses what is not translated.
	[ ! -s $mode.err ] || grep -qw sve /proc/cpuinfo || fail "$mode: says $(cat $mode.err)"
done

# Windows that open while the program has its references checked (x86-64).
./windows flags >alone.out
for seed in 1 2 3; do
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --sample 1/10 --window 5K --sample-seed $seed \
		-- ./windows flags >sampled.out 2>sampled.err
	[ $? = 7 ] || fail "flags, sampled: ends otherwise: $(cat sampled.err)"
	cmp sampled.out alone.out || fail "flags, sampled: prints something else"
done

# Every reference of a gather and of a masked store, and none of the elements that their masks leave out.
"$MEMSPY" run -q --frontend native --db runs.db --csv --by code -o code.csv -n 1000 --threshold 0 -- ./windows vectors >/dev/null ||
	[ $? = 7 ] || fail "vectors"
if [ "$(uname -m)" = x86_64 ] && grep -q ' avx2 ' /proc/cpuinfo; then
	python3 - code.csv <<'END' || fail "gathers: $(grep gathers code.csv)"
import csv, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r['name'].startswith('gathers'))
# 200 rounds: 8 and 4 elements, and what else is read; 128 floats are written, and 200 times the four elements of a vector.
assert 200 * 12 <= int(row['reads']) <= 200 * 20, row
assert 128 + 200 * 4 <= int(row['writes']) <= 128 + 200 * 4 + 20, row
END
fi

# Every reference of structures and pairs: 100 rounds of 24 reads and 22 writes, and what the function keeps.
if [ "$(uname -m)" = aarch64 ]; then
	python3 - code.csv <<'END' || fail "structures: $(grep vectors code.csv)"
import csv, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r['name'].startswith('vectors'))
assert 2400 <= int(row['reads']) <= 2420 and 2200 <= int(row['writes']) <= 2220, row
END
fi

seq 1 3000 >text
same gzip gzip -c text
same bzip2 bzip2 -c text
same perl perl -e '$h{$_ * 7919 % 1000} .= "x$_" for 1..20000; print length join ",", map {"$_$h{$_}"} sort keys %h'
same python python3 -c 'import json, re; print(json.dumps(sorted(re.findall("[0-9]+7", open("text").read()))))'
same sqlite3 sqlite3 :memory: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select sum(i * i), max(i || 1) from n'
same bash bash -c 'for i in 1 2 3; do echo $(sort -r text | head -$i); done; trap "echo bye" EXIT; exit 3'
echo 'struct s { int a[9]; } f(struct s x, int n) { while (n--) x.a[n % 9] += n; return x; }' >small.c
same cc1 "$(gcc -print-prog-name=cc1)" -quiet -O2 small.c -o -
finish
