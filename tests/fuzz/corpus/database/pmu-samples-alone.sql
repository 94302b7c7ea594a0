m
delete from miss
delete from replacement
update pmu_sample set events = 0 where sample < 4
update pmu set level = 1, event = 'latency' where pmu = 0
