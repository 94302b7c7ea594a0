# Replacement, write, contents and prefetch policies of a machine file are simulated, stored and shown.
. "$SRC/tests/cli/run/lib.bash"

# level NAME SIZE WAYS LATENCY [KEY=VALUE ...]
level() {
	printf '[level %s]\nsize = %s\nways = %s\nline = 64\nlatency = %s\n' "$1" "$2" "$3" "$4"
	shift 4
	printf '%s\n' "$@"
}

machine() {
	printf '[machine]\ntext = a machine of a test\n'
	cat
	printf '[memory]\nlatency = 100\n'
}

{ level L1 16K 4 0; level L2 64K 8 10; } | machine >plain.ini
{ level L1 16K 4 0 prefetch=16; level L2 64K 8 10 prefetch=1; } | machine >prefetch.ini
{ level L1 16K 4 0 replacement=tree-plru; level L2 64K 8 10 replacement=random; } | machine >replacement.ini
{ level L1 16K 4 0 write=through write-miss=around; level L2 64K 8 10; } | machine >write.ini
{ level L1 16K 4 0; level L2 64K 8 10 contents=inclusive; level L3 128K 8 30 contents=exclusive; } | machine >contents.ini
for name in prefetch replacement write contents; do
	"$MEMSPY" machine check ./$name.ini >checked || fail "$name.ini: $(cat checked)"
done

# A stream is covered but for the two lines that begin a page; a gather is not. Nothing else changes.
profile_quiet plain --machine ./plain.ini --trace gather.trace -- "$PROGRAMS/gather"
profile_quiet prefetch --machine ./prefetch.ini -- "$PROGRAMS/gather"
expect prefetch <<'END'
bin('stream', 'streamed').misses == 32768
bin('stream', 'streamed').levels[0].covered >= 0.96 * 32768
bin('stream', 'streamed').levels[0].covered <= 0.97 * 32768
bin('stream', 'streamed').levels[1].covered >= 0.96 * 32768
bin('gather', 'gathered').misses > 200000
bin('gather', 'gathered').levels[0].covered < 0.02 * bin('gather', 'gathered').misses
report['run']['machine_levels'][0]['prefetch'] == 16
END
expect plain <<'END'
bin('stream', 'streamed').levels[0].covered is None
END
python3 - <<'END' || fail "a prefetcher changes other figures"
import json
a, b = (json.load(open(f"{n}.json"))["totals"] for n in ("plain", "prefetch"))
for level in a["levels"]:
    del level["replacement"]  # divided into conflict and capacity misses, without a prefetcher only
for level in b["levels"]:
    del level["covered"]
raise SystemExit(a != b)
END
"$MEMSPY" report --db prefetch.db --by data --top 2 >text
grep -q '^  Covered by the prefetcher: 3[12]\.[0-9]K (1[0-9]\.[0-9]%)$' text || fail "report: $(cat text)"
grep -q 'L1 covered' text || fail "no columns: $(cat text)"
grep -q 'L1 16 KiB 4-way 64 B prefetch 16, L2 64 KiB 8-way 64 B prefetch 1 10 cycles' text || fail "machine: $(cat text)"
"$MEMSPY" report --db prefetch.db --csv | head -n 1 | grep -q 'L1_covered.*L2_covered' || fail "no columns in CSV"
"$MEMSPY" report --db plain.db --csv | head -n 1 | grep -q covered && fail "columns where nothing prefetches"
"$MEMSPY" report --db prefetch.db --by data --sort L2_covered --csv --top 1 | grep -q streamed || fail "not sorted"
"$MEMSPY" show --db prefetch.db --code stream | grep -q '^  Covered by the prefetcher: 3[12]\.[0-9]K (9[67]\.[0-9]%)$' || fail "show says nothing"

# Each of them is kept with its words, and the same for any number of workers.
for name in prefetch replacement write contents; do
	for workers in 1 3; do
		"$MEMSPY" replay gather.trace -q --db w.db --workers $workers --machine ./$name.ini --json -o $name.$workers
	done
	python3 - $name.1 $name.3 <<'END' || fail "$name.ini: workers disagree"
import json, sys
one, three = (json.load(open(f)) for f in sys.argv[1:])
raise SystemExit(any(one[k] != three[k] for k in ("totals", "code", "data", "bins")))
END
done
words() {
	python3 -c 'import json, sys
for l in json.load(open(sys.argv[1]))["run"]["machine_levels"]:
    print(*(l[k] for k in ("name", "replacement", "write", "write_miss", "contents", "prefetch")))' "$1"
}
for name in plain.json replacement.1 write.1 contents.1; do words $name; done
"$MEMSPY" machine show ./contents.ini | grep '^Levels'
"$MEMSPY" machine show ./write.ini --ini | grep '^write'

# An inclusive level takes lines from the nearer one; a third of 128K holds what two lose.
python3 - <<'END' || fail "see above"
import json
def level(name, i):
    t = json.load(open(name))["totals"]["levels"][i]
    return t["misses"]["read"] + t["misses"]["write"]
plain = [level("plain.json", i) for i in (0, 1)]
contents = [level("contents.1", i) for i in (0, 1, 2)]
if not (contents[0] >= plain[0] and contents[2] < contents[1]):
    raise SystemExit(f"plain {plain}, contents {contents}")
stores = [json.load(open(n))["totals"]["levels"][0]["misses"]["write"] for n in ("plain.json", "write.1")]
if not stores[1] >= stores[0]:
    raise SystemExit(f"stores {stores}")
END
finish
