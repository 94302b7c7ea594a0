# memspy help accepts one command only.
"$MEMSPY" help run report
