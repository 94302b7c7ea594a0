# The completion script of bash completes commands, options and values.
set -u
PATH=$(dirname "$MEMSPY"):$PATH
"$MEMSPY" help --completion bash >script
. ./script

complete_line() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_memspy
	echo "$*: ${COMPREPLY[*]}"
}

touch file.ini
complete_line memspy r
complete_line memspy help ma
complete_line memspy machine --j
complete_line memspy machine da
complete_line memspy run --machine memspy-
complete_line memspy run --machine=memspy-1992-matmul --l
complete_line memspy run -m host file
complete_line memspy help --completion ''
complete_line memspy machine check fi
"$DBS/make" matmul >/dev/null && mv matmul.db memspy.db
complete_line memspy diff @b
complete_line memspy export @
complete_line memspy runs pr
complete_line memspy diff --fail-if ''
complete_line memspy run --sample ''
complete_line memspy run --error ''
complete_line memspy run --mis
complete_line memspy split --by ''
complete_line memspy run --trace fi
# Names of data, in any characters.
sqlite3 memspy.db "update data set name = 'double *.K[]' where name = 'counter'; update data set name = 'map<int, char>.m' where name = '<stack>'"
complete_line memspy show --data Matrix.
complete_line memspy show -d dou
complete_line memspy evictions --of map
sqlite3 memspy.db "update code set name = 'Stack<int, char>::push(int)' where name = 'ClearProduct'"
complete_line memspy show --code Bl
complete_line memspy callers -c Sta
complete_line memspy evictions --at ma
