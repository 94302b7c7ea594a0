# The completion scripts of all shells contain every command and option that --help names.
set -eu
for shell in bash zsh fish; do
	"$MEMSPY" help --completion $shell >$shell
done
commands=$("$MEMSPY" help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 18 ]
for command in $commands; do
	sed -n "/^\t$command)/,/;;/p" bash >bash.part
	sed -n "/^\t$command)/,/;;/p" zsh >zsh.part
	grep "__memspy_is $command'" fish >fish.part
	grep -q -- "-a $command " fish
	for option in $("$MEMSPY" "$command" --help | sed -n '/^Options:/,/^$/p' | grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' | grep -o -- '--.*'); do
		grep -q -- "$option " bash.part || echo "bash: $command $option"
		grep -q -- "$option[]=[}]" zsh.part || echo "zsh: $command $option"
		grep -q -- " -l ${option#--} " fish.part || echo "fish: $command $option"
	done
done
