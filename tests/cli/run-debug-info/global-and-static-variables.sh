# Global, static, constant and thread-local variables and the stack are named.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet statics "$PROGRAMS/statics"
expect statics <<'END'
bin('put', 'global_zero').writes == 1000
data('global_zero').bytes == 4000
data('global_zero').objects == 1
data('global_zero').kind == 'static'
data('global_zero').type == 'int[1000]'
62 <= bin('put', 'global_zero').misses <= 64
bin('put', 'global_set').writes == 500
bin('put', 'file_static').writes == 400
bin('get', 'constant').reads == 300
bin('put', 'inside_function::counters').writes == 100
bin('put', 'again::counters').writes == 90
bin('put', 'local_zero').writes == 200 + 120
bin('put', 'local_set').writes == 150 + 80
data('local_zero').kind == 'tls'
data('local_zero').objects == 2
data('local_zero').bytes == 1600
data('local_set').objects == 2
bin('put', '<stack>').writes == 250
data('<stack>').kind == 'stack'
END
finish
