# --version and -V print the version and the libraries.
"$MEMSPY" --version && "$MEMSPY" -V
