m
delete from miss
delete from eviction
delete from pmu_level
delete from level
update pmu set level = null, event = 'latency'
