"""Transactions of psycopg 3 and psycopg2, by what PEP 249 says of both."""

import contextlib

# The server would answer a commit with a rollback, and nobody would be told.
IN_ERROR = 3


class Transactions:
    """Transactions on one connection, which is opened again after it was lost. Not thread-safe.

    connect opens a connection to the database that the handlers write to. Handlers get it, write by
    it, and neither commit nor roll back.
    """

    def __init__(self, connect):
        self._connect = connect
        self._connection = None

    @contextlib.contextmanager
    def begin(self):
        """A transaction: committed at the end, rolled back if something is raised."""
        connection = self._open()
        try:
            yield Transaction(connection)
            connection.commit()
        except BaseException:
            self._roll_back(connection)
            raise

    def close(self):
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()

    def _open(self):
        if self._connection is None or self._connection.closed:
            self._connection = self._connect()
            self._connection.autocommit = False
        return self._connection

    @staticmethod
    def _roll_back(connection):
        try:
            connection.rollback()
        except Exception:
            # What cannot roll back is not used again.
            with contextlib.suppress(Exception):
                connection.close()


class Transaction:
    """One transaction, as the inbox sees it."""

    def __init__(self, connection):
        self.target = connection

    def execute(self, sql, values):
        """Runs a statement; returns the number of its rows."""
        with self.target.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.rowcount

    def is_lost(self):
        """Whether the connection is gone."""
        return bool(self.target.closed)

    def is_failed(self):
        """Whether an error has ended the transaction."""
        return self.target.info.transaction_status == IN_ERROR
