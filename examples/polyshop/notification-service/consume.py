"""Sends mails about orders and payments until a signal stops it.

DATABASE_URL names the database, KAFKA the brokers.
"""

import logging
import os
import signal
import sys

try:
    import psycopg2  # noqa: F401, the driver
    from waybill_inbox.kafka import KafkaInbox
    from waybill_inbox.sessions import Sessions

    from database import sessions
except ImportError as missing:
    sys.exit(f"{missing}: install the packages that README.md names.")

import order_mails
from mail_server import MailServer
from tracing import Tracing, exporter

SERVICE = "notification-service"


def main():
    if "DATABASE_URL" not in os.environ or "KAFKA" not in os.environ:
        print("usage: DATABASE_URL=postgresql://... KAFKA=HOST:PORT consume.py", file=sys.stderr)
        sys.exit(2)
    logging.basicConfig(format="%(levelname)s %(message)s")
    export = exporter(SERVICE)
    factory = sessions(os.environ["DATABASE_URL"])
    inbox = KafkaInbox(
        servers=os.environ["KAFKA"],
        topics=[order_mails.ORDER_PLACED, order_mails.PAYMENT_SUCCEEDED],
        consumer=SERVICE,
        transactions=Sessions(factory),
        handlers=order_mails.handlers(MailServer(factory)),
        around=Tracing(export).handle,
    )
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, inbox.stop)
    inbox.run()
    if export is not None:
        export.stop()


if __name__ == "__main__":
    main()
