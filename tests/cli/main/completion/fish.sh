# The completion script of fish completes commands, options and values.
export PATH="$(dirname "$MEMSPY"):$PATH"
"$MEMSPY" help --completion fish >memspy.fish
fish --no-execute memspy.fish || exit 1
"$DBS/make" matmul >/dev/null && mv matmul.db memspy.db
touch file.ini
ask() {
	echo "$1: $(fish --no-config --private -c "source memspy.fish; complete -C '$1'" | cut -f1 | paste -sd' ')"
}
ask 'memspy repo'
ask 'memspy help machi'
ask 'memspy run --ta'
ask 'memspy report --by '
ask 'memspy machine da'
ask 'memspy diff @'
ask 'memspy export spe'
ask 'memspy runs export @b'
ask 'memspy check fi'
ask 'memspy report --top '
ask 'memspy run --sample '
ask 'memspy run --error '
ask 'memspy split --by '
