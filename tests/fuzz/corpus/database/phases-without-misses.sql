
insert into phase values (1, 0, '<start>', 1, 10), (1, 1, 'sorting', 2, 10)
insert into phase_miss values (1, 0, 0, 5), (1, 1, 1, 3)
