m
update pmu set period = -1, seed = -1, cost = 4294967295, events = -1, interrupts = -1, effective = 1e308, wish = 1e308, adaptive = 1, cycles = -1, clean_cycles = 1, handler_instructions = -1
update pmu_level set misses = -1, monitor_misses = 9223372036854775807
update pmu_sample set count = 9223372036854775807, events = 9223372036854775807, latency = -1, monitor = -1
update replacement set victims = '{"0":9223372036854775807}'
