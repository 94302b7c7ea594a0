
delete from miss
delete from replaced
delete from eviction
delete from level
