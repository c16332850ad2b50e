/**
 * Runs work in a transaction: committed if it resolves, rolled back if it throws.
 *
 * @template T
 * @param {import('pg').Pool} pool
 * @param {(client: import('pg').PoolClient) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTransaction(pool, work) {
  const client = await pool.connect();
  let broken;
  // A lost connection is told by the query that fails; without a listener it would end the process.
  const lost = (failure) => (broken = failure);
  client.on('error', lost);
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is not given to anybody else.
    await client.query('rollback').catch((failure) => (broken = failure));
    throw error;
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
}
