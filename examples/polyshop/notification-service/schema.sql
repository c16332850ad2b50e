create table emails (
  id uuid primary key,
  order_id varchar(100) not null,
  recipient varchar(320) not null,
  sent_at timestamptz not null default now()
);

-- What a mail server has taken, see mail_server.py.
create table mail_server (
  message_id uuid primary key,
  recipient varchar(320) not null,
  body text not null
);
