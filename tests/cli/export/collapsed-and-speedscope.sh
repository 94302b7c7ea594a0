# Collapsed stacks and speedscope's JSON are well formed, and their weights add up to the totals of the report.
set -u
db=$("$DBS/make" matmul)
export_as() {
	"$MEMSPY" export --db "$db" "$@"
}
export_as collapsed
export_as collapsed --view data --metric L1_misses
export_as speedscope -o code.json
export_as speedscope --view data --metric references -o data.json
"$MEMSPY" report --db "$db" --json >report.json
export_as collapsed >code.stacks
python3 - "$SRC/tests/cli/export/speedscope.schema.json" <<'END'
import json, re, sys
schema = json.load(open(sys.argv[1]))
report = json.load(open('report.json'))

# As much of JSON schema as that of speedscope's files needs.
def check(value, rule, at):
    types = {'object': dict, 'array': list, 'string': str, 'number': (int, float), 'integer': int}
    if '$ref' in rule:
        rule = schema['definitions'][rule['$ref'].split('/')[-1]]
    if 'type' in rule:
        assert isinstance(value, types[rule['type']]) and not isinstance(value, bool), (at, value)
    if 'enum' in rule:
        assert value in rule['enum'], (at, value)
    for key in rule.get('required', []):
        assert key in value, (at, key)
    for key, inner in rule.get('properties', {}).items():
        if key in value:
            check(value[key], inner, at + '.' + key)
    if rule.get('additionalProperties') is False:
        assert set(value) <= set(rule['properties']), (at, set(value))
    if 'items' in rule:
        for i, inner in enumerate(value):
            check(inner, rule['items'], '%s[%d]' % (at, i))
    if 'minimum' in rule:
        assert value >= rule['minimum'], (at, value)

totals = report['totals']
wanted = {'code.json': totals['stall_cycles'], 'data.json': sum(totals['references'].values())}
for name, total in wanted.items():
    file = json.load(open(name))
    check(file, schema, name)
    for profile in file['profiles']:
        assert len(profile['samples']) == len(profile['weights'])
        assert sum(profile['weights']) == profile['endValue'] == total, (profile['name'], total)
        assert all(0 <= i < len(file['shared']['frames']) for s in profile['samples'] for i in s)
    print(name, file['activeProfileIndex'], [p['name'] for p in file['profiles']], len(file['shared']['frames']))
lines = open('code.stacks').read().splitlines()
assert all(re.fullmatch(r'[^;]+(;[^;]+)* \d+', line) for line in lines)
assert sum(int(line.rsplit(' ', 1)[1]) for line in lines) == totals['stall_cycles']
END
"$MEMSPY" export --db "$db" collapsed --metric nothing || echo "status $?"
sqlite3 "$db" 'delete from miss'
export_as collapsed | head -n 1 # without stall it is references
export_as collapsed --metric stall || echo "status $?"
for words in '' nonsense calgrind 'csv --view data' 'callgrind --metric stall' 'csv 1 2' 'csv @9'; do
	# shellcheck disable=SC2086 # words
	export_as $words || echo "status $?"
done
