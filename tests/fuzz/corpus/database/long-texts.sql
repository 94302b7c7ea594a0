
update code set name = hex(zeroblob(20000))
update data set name = char(10, 9, 27) || hex(zeroblob(3000)), full_name = char(0x10ffff, 0, 65)
update string set text = text || cast(x'c328ff' as text)
