p
update run set processors = 4096, nodes = 4096, node_processors = 1
update cell set processor = 4095 where cell % 2
