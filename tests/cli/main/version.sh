"$MEMSPY" --version && "$MEMSPY" -V
