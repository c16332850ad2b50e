import pg from 'pg';

/** The database of the tests, with the tables of schema.sql, outbox_events and waybill_outbox. */
export function connect() {
  if (!process.env.DATABASE_URL) {
    throw new Error('Set DATABASE_URL to a PostgreSQL with the tables; ./verify does so.');
  }
  return new pg.Pool({ connectionString: process.env.DATABASE_URL });
}
