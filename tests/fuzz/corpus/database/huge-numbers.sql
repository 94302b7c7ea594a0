
update cell set refs = 9223372036854775807
update miss set first = 9223372036854775807, replaced = 9223372036854775807, invalidated = -1
update line set instructions = -9223372036854775808
update run set memory_latency = 4294967295, wall_seconds = 1e308
update level set latency = 4294967295, size = 0, ways = 0, line_size = 0
update data set bytes = -1, objects = 9223372036854775807
