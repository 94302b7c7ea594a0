p
delete from sharing
delete from wait
delete from thread_miss
delete from thread
delete from line_time
