# memspy machine list names all presets.
"$MEMSPY" machine list
