# memspy machine check without a file is refused.
"$MEMSPY" machine check
