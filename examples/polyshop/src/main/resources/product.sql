create table if not exists products (
  id varchar(100) primary key,
  title varchar(100) not null
);
