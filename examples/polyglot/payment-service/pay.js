// Makes payments: node pay.js NUMBER. The database is that of the environment variable DATABASE_URL.
import { inTransaction } from '@waybill/inbox';
import pg from 'pg';
import { PaymentDomainService } from './paymentDomainService.js';

const DECLINED_EVERY = 10;

class Declined extends Error {}

/** Makes one payment; every tenth is declined after its event was written, and rolled back. */
async function pay(pool, service, number) {
  const paymentId = await service.initiate({
    orderId: `order-${number}`,
    amountCents: 100 + number,
    currency: 'EUR',
  });
  if (number % DECLINED_EVERY !== 0) {
    await service.succeed(paymentId);
    return true;
  }
  try {
    await inTransaction(pool, async (client) => {
      await service.succeedIn(client, paymentId);
      throw new Declined();
    });
  } catch (error) {
    if (!(error instanceof Declined)) {
      throw error;
    }
  }
  return false;
}

const number = Number(process.argv[2]);
if (!Number.isInteger(number) || number < 1 || !process.env.DATABASE_URL) {
  console.error('usage: DATABASE_URL=postgresql://... node pay.js NUMBER, a whole number from 1');
  process.exit(2);
}
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
try {
  const service = new PaymentDomainService(pool);
  let succeeded = 0;
  for (let i = 1; i <= number; i++) {
    succeeded += (await pay(pool, service, i)) ? 1 : 0;
  }
  console.log(`${succeeded} payments succeeded, ${number - succeeded} declined`);
} finally {
  await pool.end();
}
