p
update sharing set address = null, object_offset = null, field = null, writer_field = null
update sharing set address = -1, offset = 4294967295, writer_offset = 4294967295 where sharing % 2
update level set line_size = 0, processors = 0
delete from thread_miss
delete from miss
