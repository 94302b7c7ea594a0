
create trigger t after insert on run begin delete from run; end
create trigger u after insert on string begin update string set text = new.text || new.text; end
