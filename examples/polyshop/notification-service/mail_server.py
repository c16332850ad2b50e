"""Stands for a mail server: it keeps one mail of each id, as those do that look at Message-ID."""

from sqlalchemy import text

TAKE = text(
    """
    insert into mail_server (message_id, recipient, body) values (:message_id, :recipient, :body)
    on conflict (message_id) do nothing"""
)


class MailServer:
    """Takes mails at once, apart from any transaction of its sender's."""

    def __init__(self, sessions):
        self._sessions = sessions

    def __call__(self, message_id, recipient, body):
        with self._sessions() as session, session.begin():
            mail = {"message_id": str(message_id), "recipient": recipient, "body": body}
            session.execute(TAKE, mail)
