create table if not exists users (
  id varchar(100) primary key,
  name varchar(100) not null
);
