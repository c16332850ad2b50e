create table orders (id text primary key, shipped boolean not null default false);
