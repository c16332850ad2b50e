"""Sends emails: send_emails.py NUMBER. The database is that of the variable DATABASE_URL."""

import os
import sys

try:
    import psycopg2  # noqa: F401, the driver
    import sqlalchemy  # noqa: F401
except ImportError as missing:
    sys.exit(f"{missing}: install the packages python3-sqlalchemy and python3-psycopg2.")

from database import sessions
from email_service import EmailService

REFUSED_EVERY = 10


class Refused(Exception):
    """The mail server does not take an email."""


class RefusingServer:
    """Stands for a mail server; refuses every tenth email."""

    def __init__(self):
        self._taken = 0

    def __call__(self, email_id, recipient, text):
        self._taken += 1
        if self._taken % REFUSED_EVERY == 0:
            raise Refused(recipient)


def main(number):
    begin = sessions(os.environ["DATABASE_URL"]).begin
    server = RefusingServer()
    sent = 0
    for i in range(1, number + 1):
        try:
            with begin() as session:
                service = EmailService(session, server)
                service.send(f"order-{i}", f"customer-{i}@example.org", "Thank you.")
            sent += 1
        except Refused:
            pass
    print(f"{sent} emails sent, {number - sent} refused")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdecimal() or "DATABASE_URL" not in os.environ:
        print("usage: DATABASE_URL=postgresql://... send_emails.py NUMBER", file=sys.stderr)
        sys.exit(2)
    main(int(sys.argv[1]))
