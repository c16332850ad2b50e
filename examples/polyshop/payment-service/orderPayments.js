import { PermanentError } from '@waybill/inbox';

/** Type, and topic, of placed orders. */
export const ORDER_PLACED = 'order.order.placed.v1';

const CURRENCY = 'EUR';
const MOST_CHARACTERS = 100;

/**
 * Pays for placed orders: payment and payment.payment.succeeded.v1 in the transaction of the inbox.
 *
 * @param {import('./paymentDomainService.js').PaymentDomainService} payments
 */
export function payForOrders(payments) {
  return async (event, client) => {
    const { orderId, totalAmount } = event.data ?? {};
    if (typeof orderId !== 'string' || orderId === '' || orderId.length > MOST_CHARACTERS) {
      throw new PermanentError(
        `Validation failed: orderId must be a text of 1 to ${MOST_CHARACTERS} characters`,
      );
    }
    const amountCents = Math.round(totalAmount * 100);
    if (typeof totalAmount !== 'number' || !Number.isSafeInteger(amountCents) || amountCents < 1) {
      throw new PermanentError('Validation failed: totalAmount must be a number from 0.01');
    }
    const payment = { orderId, amountCents, currency: CURRENCY };
    const paymentId = await payments.initiateIn(client, payment);
    await payments.succeedIn(client, paymentId, event);
  };
}
