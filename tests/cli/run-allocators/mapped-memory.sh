# Memory of mmap is named after the variable that receives it, or after its file.
. "$SRC/tests/cli/run/lib.bash"
head -c 4096 /dev/zero >some.file
profile_quiet mapped "$PROGRAMS/mapped" some.file
expect mapped <<'END'
bin('put', 'char.anonymous').writes == 10000
data('char.anonymous').kind == 'mapped'
data('char.anonymous').bytes == 16384
data('char.anonymous').objects == 1
156 <= bin('put', 'char.anonymous').misses <= 157
bin('put', 'char.shared').writes == 5000
data('char.shared').bytes == 8192
bin('put', 'char.holed').writes == 300
bin('get', 'some.file').reads == 3000
data('some.file').kind == 'file'
data('some.file').bytes == 4096
# A few lines less where something else was mapped, and used, at the same addresses before.
42 <= bin('get', 'some.file').first <= 47
bin('put', '<allocator>').writes == 1000
# "char.grown" is what mmap() returned; nothing was written to it before mremap() replaced it.
bin('put', 'char.grown (mapped.c:45)').writes == 9000
data('char.grown (mapped.c:45)').kind == 'mapped'
END
finish
