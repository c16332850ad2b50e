"""Stands for a mail server: it keeps one mail of each id, as those do that look at Message-ID."""

import psycopg

TAKE = """
    insert into mail_server (message_id, recipient, body) values (%s, %s, %s)
    on conflict (message_id) do nothing"""


class MailServer:
    """Takes mails at once, apart from any transaction of its sender's."""

    def __init__(self, database):
        self._database = database

    def __call__(self, message_id, recipient, text):
        with psycopg.connect(self._database) as connection:
            connection.execute(TAKE, (message_id, recipient, text))
