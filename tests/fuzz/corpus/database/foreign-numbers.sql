
update cell set data = 99
update miss set level = 4294967296
