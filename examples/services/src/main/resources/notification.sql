create table if not exists reservation (
  id bigint generated always as identity primary key,
  restaurant_id bigint not null,
  customer_id bigint,
  agency_id bigint,
  customer_name varchar(200) not null,
  party_size int not null,
  reserved_for time not null
);

create table if not exists customer_order (
  id bigint generated always as identity primary key,
  restaurant_id bigint not null,
  customer_id bigint not null,
  total numeric(12, 2) not null
);

create table if not exists registration (
  id bigint generated always as identity primary key,
  name varchar(200) not null
);

create table if not exists person (
  id bigint generated always as identity primary key,
  aggregate_type varchar(20) not null,
  aggregate_id bigint not null
);

create table if not exists notification (
  id bigint generated always as identity primary key,
  event_id varchar(255) not null,
  person_id bigint not null references person,
  channel varchar(20) not null,
  event_type varchar(255) not null,
  payload json not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (event_id, person_id, channel)
);

-- Restaurants 1 to 9 with a staff of ten, agency 7 with three users, two admins, customer 42.
insert into person (aggregate_type, aggregate_id)
  select seed.* from (
    select 'RESTAURANT', restaurant from generate_series(1, 9) restaurant, generate_series(1, 10)
    union all
    values ('AGENCY', 7), ('AGENCY', 7), ('AGENCY', 7), ('ADMIN', 1), ('ADMIN', 1), ('CUSTOMER', 42)
  ) seed
  where not exists (select from person);
