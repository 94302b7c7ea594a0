# memspy machine check reports an unknown key with its line and the valid keys.
printf "[machine]\ntext = t\n[level L1]\nsize = 32K\nwasy = 8\n" >bad.ini
"$MEMSPY" machine check bad.ini
