# Ranks of MPICH: as in open-mpi.sh.
. "$SRC/tests/cli/mpi/lib.bash"
compile_heat mpicc.mpich 2>/dev/null
check_ranks mpirun.mpich

# The tutorial's fix computes the same.
mpicc.mpich -std=c17 -DSOURCES_IN_ARRAY -o heat "$SRC/examples/heat/heat.c" 2>/dev/null
mpirun.mpich -n 2 ./heat 16 1024 300 3 2>/dev/null | cmp - native && echo same heat
