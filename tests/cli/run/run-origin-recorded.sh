# A run records its origin: build-id, commit, local changes, machine, and the environment variables that matter.
set -eu
git init -q repository
cd repository
printf 'int main(void) { return 0; }\n' >one.c
gcc -g -Wl,--build-id=0xfeedbeef -o one one.c
git add one.c
git -c user.name=n -c user.email=e commit -qm first
commit=$(git rev-parse HEAD)
cd ..
ask() {
	sqlite3 memspy.db "select $1 from run order by id desc limit 1"
}
run() {
	"$MEMSPY" run -q --l1 32K,8,64 "$@"
}
MALLOC_ARENA_MAX=2 MINE_A=a MINE_B=b SECRET=s OMP_NUM_THREADS=3 run --note "first try" --keep-env 'MINE_*' repository/one
ask 'build_id, git_dirty, note'
[ "$(ask git_commit)" = "$commit" ]
ask 'host like (select "%(%)")'
sqlite3 memspy.db "select name, value from environment where name not like 'LD_%' order by position"
echo >>repository/one.c
# Programs that the repository configures for git are not started, and variables that a hook set for git are ignored.
git -C repository config core.fsmonitor "touch $PWD/started"
GIT_DIR=/nowhere GIT_WORK_TREE=/nowhere run repository/one
[ ! -e started ]
ask 'git_dirty, note is null'
# A program that lies elsewhere: the current folder's repository; without one, nothing.
cp repository/one two
(cd repository && run --db ../memspy.db ../two)
[ "$(ask git_commit)" = "$commit" ]
run ./two
ask 'build_id, git_commit is null, git_dirty'
# Children that are followed come from the same place.
printf '#include <unistd.h>\nint main(void) { if (fork() == 0) { volatile char a[20000]; for (int i = 0; i < 20000; i++) a[i] = 1; } return 0; }\n' >fork.c
gcc -o repository/fork fork.c
run --follow-forks repository/fork 2>/dev/null
sqlite3 memspy.db "select count(*), count(distinct git_commit), count(distinct host) from run where program = 'repository/fork'"
