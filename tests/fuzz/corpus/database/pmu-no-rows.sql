m
delete from replacement
delete from miss
update pmu_sample set count = 0 where sample > 3
update pmu set effective = 0, clean_cycles = 0
