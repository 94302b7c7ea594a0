
delete from level
delete from string
delete from argument
