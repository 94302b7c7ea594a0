# The completion function of zsh completes commands, options and values in a terminal.
export PATH="$(dirname "$MEMSPY"):$PATH"
mkdir functions
"$MEMSPY" help --completion zsh >functions/_memspy
zsh -n functions/_memspy || exit 1
"$DBS/make" matmul >/dev/null && mv matmul.db memspy.db
# A file, so that what it says is not mistaken for what it is: the terminal echoes what is typed.
cat >setup.zsh <<'END'
PROMPT='' RPROMPT='' LISTMAX=10000
unsetopt zle_bracketed_paste
stty columns 500 -echo
fpath=($PWD/functions $fpath)
autoload -U compinit
compinit -u -D
# Print the matches instead of showing them.
compadd() {
	local -a got
	builtin compadd -O got "$@"
	(( $#got )) && print -r -- "GOT $got"
	builtin compadd "$@"
}
complete-it() {
	zle complete-word
	print -r -- "END $BUFFER"
	BUFFER=
}
zle -N complete-it
bindkey '^I' complete-it
print READY
END
cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'source ./setup.zsh'
zpty -r z line '*READY*'
for question in "$@"; do
	zpty -w -n z "$question"$'\t'
	zpty -r z line '*END *'
	print -r -- "$question: ${(j: :)${(f)line}}" | tr -d '\r' |
		sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g; s/ *END .*//; s/: .*GOT /: /'
done
zpty -d z
END
timeout -s KILL 60 zsh -f ask.zsh 'memspy acc' 'memspy help machi' 'memspy run --ta' 'memspy report --by ' 'memspy machine da' 'memspy diff @ba' 'memspy export spe' 'memspy run --sample '
