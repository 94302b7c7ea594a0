# bench/pmu-study writes its page and figures for a stored run; a monitor without samples has no errors, and one with too large
# errors or too few samples makes the status 1.
"$MEMSPY" pmu --db "$("$DBS/make" pmu)" --json >pmu.json
study() {
	python3 - "$@" <<'END'
import json, sys
few, none, auto, other = json.load(open('pmu.json'))['monitors']
large = json.loads(json.dumps(few))
large['effective_samples'] = float(sys.argv[1])
large['accuracy']['data']['error'] = float(sys.argv[2])
large['levels'][0]['misses'] += int(sys.argv[3])
json.dump({'triad': [few, few, few, none, auto, large], 'matmul': [few, other, none, none, auto]}, open('kept.json', 'w'))
END
	"$SRC/bench/pmu-study" "$BUILD" --from kept.json --out out 2>/dev/null
	echo "status $?"
}
study 5000 0.015 0
sed 's/(memspy [^)]*)/(memspy)/' out/pmu.md
python3 -c 'import sys, xml.dom.minidom as x
for name in sys.argv[1:]:
    print(name, len(x.parse(name).getElementsByTagName("rect")))' out/pmu-misses.svg out/pmu-cycles.svg
study 4000 0.015 0
grep 'too few' out/pmu.md
study 5000 0.016 0
study 5000 0.015 20000
grep 'too much' out/pmu.md
"$SRC/bench/pmu-study" "$BUILD" --only nothing
"$SRC/bench/pmu-study" . --only matmul
