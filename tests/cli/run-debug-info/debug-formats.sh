# The amount and format of debug information change names, never counts.
. "$SRC/tests/cli/run/lib.bash"
full() {
	profile_quiet "$@"
	expect "$1" <<'END'
bin('put', 'global_zero').writes == 1000
bin('put', 'inside_function::counters').writes == 100
bin('put', 'local_zero').writes == 320
data('file_static').type == 'int[400]'
code('put').file.endswith('statics.c')
END
}
for version in 4 5; do
	build statics -O1 -gdwarf-$version -pthread
	full dwarf$version ./statics
done
build statics -O1 -g -gz -pthread
full compressed ./statics
build statics -O1 -g -no-pie -pthread
full nopie ./statics

# Split off, and what was split off is not there, or is in a package, which not every libdw reads: that is said.
build statics -O1 -g -gsplit-dwarf -pthread
full split ./statics
cp ./*.dwo statics.dwp
rm ./*.dwo
for how in 'could not be read' 'is missing'; do
	profile missing ./statics
	[ "$status" = 0 ] || fail "missing: exit status $status"
	grep -q "^memspy: .*/statics: types and inlined functions of 1 of its source files are not known: their debug information was split off, and .*/statics.* $how\$" missing.err ||
		fail "missing: says $(cat missing.err)"
	expect missing <<'END'
bin('put', 'global_zero').writes == 1000
data('global_zero').type is None
END
	rm -f statics.dwp
done

# Symbols only: no types, no files.
build statics -O1 -pthread
profile_quiet symbols ./statics
expect symbols <<'END'
bin('put', 'global_zero').writes == 1000
bin('put', 'file_static').writes == 400
bin('put', 'local_zero').writes == 320
data('global_zero').bytes == 4000
code('put').file is None
END

# Nothing at all: functions by the unwind tables, the module's sections.
build statics -O1 -pthread -s
profile_quiet stripped ./statics
expect stripped <<'END'
data('statics[[].bss]').writes >= 1000 + 400 + 100 + 90
sum([b['references']['write'] for b in report['bins'] if b['code'].startswith('statics+0x') and b['data'] == 'statics[.data]']) == 500
bin('statics+0x*', 'statics[[].rodata]').reads == 300
sum([b['references']['write'] for b in report['bins'] if b['code'].startswith('statics+0x') and b['data'] == '<thread-local>']) == 320 + 230
data('statics[[].bss]').kind == 'section'
END
python3 - <<'END' || fail "the counts differ between debug formats"
import json
def totals(name):
    t = json.load(open(name + ".json"))["totals"]
    return t["references"]["write"]
stripped, symbols, dwarf5 = totals("stripped"), totals("symbols"), totals("dwarf5")
# The loader reads other sections; the program's own writes are the same to a few.
assert abs(stripped - dwarf5) < 50 and abs(symbols - dwarf5) < 50, (stripped, symbols, dwarf5)
END

# Heap data of a stripped program: by module and offset of the call.
build heap -O1 -s
profile_quiet heap ./heap
expect heap <<'END'
[d['bytes'] for d in report['data'] if d['kind'] == 'heap' and d['bytes'] == 1000000] == [1000000]
[d['name'].startswith('heap+0x') for d in report['data'] if d['bytes'] == 1000000] == [True]
sum(b['references']['write'] for b in report['bins'] if b['code'].startswith('heap+0x') and b['data'].startswith('heap+0x')) >= 1033000
END
finish
