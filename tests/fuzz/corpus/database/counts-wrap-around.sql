
update miss set first = 6148914691236517205, replaced = 6148914691236517205, invalidated = 6148914691236517205
update level set latency = 4294967295
