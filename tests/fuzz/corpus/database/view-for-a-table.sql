
alter table cell rename to c2
create view cell as with recursive n(i) as (select 0 union all select i + 1 from n) select 1 as run, i as cell, 0 as site, 0 as data, 1 as refs from n
