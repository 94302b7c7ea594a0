"$MEMSPY" help run report
