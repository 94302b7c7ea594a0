
update code set name = ''
update data set name = '', full_name = '', type = ''
update level set name = ''
update argument set text = ''
update run set program = '', started = ''
