m
delete from miss
delete from replacement
delete from pmu_level
delete from level
update pmu set level = null, event = 'latency'
