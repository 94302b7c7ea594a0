# Two arrays at the distance of the cache size, walked in step, evict each other every time.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet collide "$PROGRAMS/collide"
expect collide <<'END'
bin('walk', 'left').reads == 10 * 4096
bin('walk', 'left').misses == 10 * 4096
bin('walk', 'left').first == 512
bin('walk', 'left').by == {'right': 10 * 4096 - 512}
bin('walk', 'right').writes == 10 * 4096
bin('walk', 'right').misses == 10 * 4096
bin('walk', 'right').first == 512
bin('walk', 'right').by == {'left': 10 * 4096 - 512}
data('left').kind == 'static'
data('left').bytes == 32768
data('left').objects == 1
data('left').stall_share > 0.45
END
# Two ways: both fit, and stay.
profile_quiet ways --machine memspy-1992-matmul --l1 64K,2,64 -- "$PROGRAMS/collide"
expect ways <<'END'
bin('walk', 'left').misses == 512
bin('walk', 'right').misses == 512
bin('walk', 'right').replaced == 0
END
finish
