import { randomUUID } from 'node:crypto';
import { inTransaction } from '@waybill/inbox';
import { insertEvent } from './outboxRepository.js';

/** Type, and topic, of payments that succeeded. */
export const PAYMENT_SUCCEEDED = 'payment.payment.succeeded.v1';

const INITIATE = `
  insert into payments (id, order_id, amount_cents, currency) values ($1, $2, $3, $4)`;

// The condition lets one of two that do it at once succeed, and the other change nothing.
const SUCCEED = `
  update payments set status = 'SUCCESS', succeeded_at = now()
  where id = $1 and status = 'INITIATED'
  returning order_id, amount_cents::int, currency`;

/** A payment is not in the state that a change needs. */
export class PaymentStateError extends Error {}

/** Payments, each change with its event in one transaction. */
export class PaymentDomainService {
  #pool;

  /** @param {import('pg').Pool} pool */
  constructor(pool) {
    this.#pool = pool;
  }

  /**
   * Begins a payment. No event tells of it.
   *
   * @param {{orderId: string, amountCents: number, currency: string}} payment
   * @returns {Promise<string>} its id
   */
  async initiate(payment) {
    return this.initiateIn(this.#pool, payment);
  }

  /**
   * The same in a transaction of the caller.
   *
   * @param {import('pg').ClientBase} client
   * @param {{orderId: string, amountCents: number, currency: string}} payment
   * @returns {Promise<string>} its id
   */
  async initiateIn(client, { orderId, amountCents, currency }) {
    const id = randomUUID();
    await client.query(INITIATE, [id, orderId, amountCents, currency]);
    return id;
  }

  /**
   * From INITIATED to SUCCESS, with the event payment.payment.succeeded.v1.
   *
   * @param {string} paymentId
   * @returns {Promise<string>} the event's id
   */
  async succeed(paymentId) {
    return inTransaction(this.#pool, (client) => this.succeedIn(client, paymentId));
  }

  /**
   * The same in a transaction of the caller.
   *
   * @param {import('pg').ClientBase} client
   * @param {string} paymentId
   * @param {object} [cause] the event that it is paid for
   * @returns {Promise<string>} the event's id
   */
  async succeedIn(client, paymentId, cause) {
    const { rows } = await client.query(SUCCEED, [paymentId]);
    if (rows.length === 0) {
      throw new PaymentStateError(`Payment ${paymentId} must be INITIATED to succeed, but is not`);
    }
    const { order_id: orderId, amount_cents: amountCents, currency } = rows[0];
    const data = { paymentId, orderId, amountCents, currency };
    return insertEvent(
      client,
      { aggregateId: paymentId, eventType: PAYMENT_SUCCEEDED, data },
      cause,
    );
  }
}
