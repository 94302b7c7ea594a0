printf "[machine]\ntext = t\n[level L1]\nsize = 32K\nwasy = 8\n" >bad.ini
"$MEMSPY" machine check bad.ini
