
create table c2 as select * from code
drop table code
alter table c2 rename to code
update code set name = x'00ff00', module = 'x', source_line = 'twelve', offset = 1.5
