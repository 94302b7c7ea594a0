# memspy, memspy help and memspy --help print the same overview.
"$MEMSPY" >none && "$MEMSPY" help >help && "$MEMSPY" --help >option && "$MEMSPY" -h >letter &&
	cmp none help && cmp none option && cmp none letter && cat none
