# Figures 1 to 3 of the 1992 paper: Y in BlkMultiply stalls the most, and evicts itself.
. "$SRC/tests/cli/run/lib.bash"
profile matmul --machine memspy-1992-matmul -- "$EXAMPLES/matmul"
[ "$status" = 0 ] || fail "exit status $status"
[ "$(cat matmul.out)" = "$("$EXAMPLES/matmul")" ] || fail "the program's output changed"
expect matmul <<'END'
(report['bins'][0]['code'], report['bins'][0]['data']) == ('BlkMultiply', 'Matrix.Y')
report['code'][0]['name'] == 'BlkMultiply'
report['data'][0]['name'] == 'Matrix.Y'
report['bins'][0]['stall_share'] > 0.80
bin('BlkMultiply', 'Matrix.Y').misses == bin('BlkMultiply', 'Matrix.Y').replaced
bin('BlkMultiply', 'Matrix.Y').by['Matrix.Y'] > 0.85 * bin('BlkMultiply', 'Matrix.Y').replaced
sum(bin('BlkMultiply', 'Matrix.Y').by.values()) == bin('BlkMultiply', 'Matrix.Y').replaced
bin('BlkMultiply', 'Matrix.Y').reads == 295 ** 3
bin('BlkMultiply', 'Matrix.Z').reads + bin('BlkMultiply', 'Matrix.Z').writes == 2 * 295 ** 3
[n for n in names('heap') if n.startswith('Matrix')] == ['Matrix.X', 'Matrix.Y', 'Matrix.Z']
data('Matrix.Y').bytes == 295 * 295 * 8
total.stall_cycles == 50 * total.misses
total.reads == sum(b['references']['read'] for b in report['bins'])
total.misses == sum(sum(b['levels'][0]['misses'].values()) for b in report['bins'])
END
finish
