"""The service's database."""

from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker


def sessions(url):
    """Makes sessions on a database, for example postgresql://notification@localhost/shop."""
    return sessionmaker(create_engine(url.replace("postgresql://", "postgresql+psycopg2://", 1)))
