"""Sends emails: send_emails.py NUMBER. The database is that of the variable DATABASE_URL."""

import os
import sys

try:
    import psycopg
except ImportError:
    sys.exit("This needs psycopg: install the package python3-psycopg, or psycopg by pip.")

from email_service import EmailService

REFUSED_EVERY = 10


class Refused(Exception):
    """The mail server does not take an email."""


class MailServer:
    """Stands for a mail server; refuses every tenth email."""

    def __init__(self):
        self._taken = 0

    def __call__(self, email_id, recipient, text):
        self._taken += 1
        if self._taken % REFUSED_EVERY == 0:
            raise Refused(recipient)


def main(number):
    sent = 0
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        service = EmailService(connection, MailServer())
        for i in range(1, number + 1):
            try:
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
