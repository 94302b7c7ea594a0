# C++ new, new[], members and containers are named after the variable, however deep the library is.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet cpp "$PROGRAMS/cpp"
expect cpp <<'END'
bin('touch', 'Particle.one').writes == 24
data('Particle.one').bytes == 24
bin('touch', 'Particle.many').writes == 2400
data('Particle.many').bytes == 2400
bin('touch', 'double.grid.cells').writes == 1600
bin('touch', 'std::vector<int>.numbers').writes == 4000
data('std::vector<int>.numbers').bytes == 4000
bin('touch', 'Particle.owned').writes == 1200
bin('touch', 'std::vector<long int>.pushed').writes == 800
data('std::vector<long int>.pushed').objects == 8
data('std::map<int, int>.tree (nodes)').objects == 20
data('std::map<int, int>.tree (nodes)').bytes == 20 * 40
END
finish
