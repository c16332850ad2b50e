"""Transactions of SQLAlchemy, 1.4 and later."""

import contextlib

from waybill_inbox.transactions import IN_ERROR


class Sessions:
    """Transactions of sessions on PostgreSQL. Handlers get the session, and do not end it.

    factory makes a session, as a sessionmaker does.
    """

    def __init__(self, factory):
        self._factory = factory

    @contextlib.contextmanager
    def begin(self):
        """A transaction: committed at the end, rolled back if something is raised."""
        with self._factory() as session, session.begin():
            yield SessionTransaction(session)

    def close(self):
        """Connections are the engine's."""


class SessionTransaction:
    """One transaction, as the inbox sees it."""

    def __init__(self, session):
        self.target = session
        self._connection = session.connection()

    def execute(self, sql, values):
        """Runs a statement; returns the number of its rows."""
        return self._connection.exec_driver_sql(sql, values).rowcount

    def is_lost(self):
        """Whether the connection is gone."""
        return self._connection.invalidated or self._connection.closed

    def is_failed(self):
        """Whether an error has ended the transaction."""
        driver = self._connection.connection.dbapi_connection
        return driver.info.transaction_status == IN_ERROR
