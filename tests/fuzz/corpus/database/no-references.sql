
update cell set refs = 0
delete from miss
delete from replacement
