// Runs one statement on MySQL or MariaDB and prints its rows as psql -At does.
// usage: node sql.js PORT DATABASE SQL
import mysql from 'mysql2/promise';

const [port, database, sql] = process.argv.slice(2);
const connection = await mysql.createConnection({
  host: '127.0.0.1',
  port: Number(port),
  user: 'root',
  database,
  rowsAsArray: true,
  dateStrings: true,
});
// As the document of event_outbox asks.
await connection.query("set time_zone = '+00:00'");
const [rows] = await connection.query(sql);
if (Array.isArray(rows)) {
  rows.forEach((row) => console.log(row.join('|')));
}
await connection.end();
