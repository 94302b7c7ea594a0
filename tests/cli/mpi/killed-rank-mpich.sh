# A rank is killed, and Hydra kills memspy in the others at once: their checkpoints remain, and can be merged.
. "$SRC/tests/cli/mpi/lib.bash"
check_killed mpirun.mpich
