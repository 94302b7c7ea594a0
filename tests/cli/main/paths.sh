# The environment says where presets lie; a wrong folder gets a sentence.
set -u
mkdir mine && "$MEMSPY" machine dash --ini >mine/own.ini
MEMSPY_MACHINES=$PWD/mine "$MEMSPY" machine list
MEMSPY_MACHINES=/no/such "$MEMSPY" machine list
