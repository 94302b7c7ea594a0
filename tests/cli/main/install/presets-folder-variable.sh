# MEMSPY_MACHINES selects the folder of presets; a folder that does not exist is reported.
set -u
mkdir mine && "$MEMSPY" machine dash --ini >mine/own.ini
MEMSPY_MACHINES=$PWD/mine "$MEMSPY" machine list
MEMSPY_MACHINES=/no/such "$MEMSPY" machine list
