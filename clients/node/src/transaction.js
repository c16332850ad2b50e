import { isTemporary, sqlState } from './failures.js';

/** What was done in a transaction can't be committed; the cause, if there is one, says why. */
export class RefusedCommitError extends Error {
  name = 'RefusedCommitError';
}

async function commit(client) {
  let answer;
  try {
    answer = await client.query('commit');
  } catch (cause) {
    // Without an answer of the server nobody knows whether it is committed.
    if (sqlState(cause) !== undefined && !isTemporary(cause)) {
      throw new RefusedCommitError(cause.message, { cause });
    }
    throw cause;
  }
  if (answer.command === 'ROLLBACK') {
    throw new RefusedCommitError('an error has ended the transaction, and was not passed on');
  }
}

/**
 * Runs work in a transaction: committed if it resolves, rolled back if it throws. Rejects with a
 * RefusedCommitError if the server does not commit it.
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
    await commit(client);
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
