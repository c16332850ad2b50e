/** A database that notes everything and keeps nothing, for tests of what is around it. */
export function fakePool() {
  const query = async (sql) => ({ rowCount: 1, command: sql.toUpperCase() });
  return { query, connect: async () => ({ query, on() {}, off() {}, release() {} }) };
}

/** A log, and the lines that it was given. */
export function keptLog() {
  const lines = [];
  return { lines, debug() {}, warn: (line) => lines.push(line) };
}
