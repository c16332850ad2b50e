create table if not exists wallet (
  id varchar(36) primary key,
  owner varchar(200) not null,
  cents bigint not null check (cents >= 0)
);

create table if not exists statement_line (
  id bigint generated always as identity primary key,
  wallet_id varchar(36) not null,
  what varchar(100) not null,
  cents bigint not null
);
