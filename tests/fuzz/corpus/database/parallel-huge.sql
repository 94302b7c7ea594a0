p
update miss set peer = 9223372036854775807, remote = 9223372036854775807, falsely = -1, weighted = 1e308
update sharing set truly = 9223372036854775807, falsely = 9223372036854775807, peer = -1, remote = -1
update line_time set weighted = -1e308, instructions = -1
update thread set weighted = 1e308, elapsed = -1, began = -1
update wait set cycles = -1, times = -1
update run set peer_latency = 4294967295, remote_latency = 4294967295
