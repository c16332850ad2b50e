create table if not exists stock (
  product_id varchar(100) primary key,
  quantity int not null check (quantity >= 0)
);

create table if not exists stock_movement (
  movement_id varchar(140) primary key,
  product_id varchar(100) not null,
  quantity int not null
);

insert into stock (product_id, quantity)
  select seed.* from (values ('book', 1000000), ('pen', 1000000)) seed
  where not exists (select from stock);
