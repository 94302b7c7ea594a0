
delete from miss
delete from replacement
delete from level
