// Pays for placed orders until a signal stops it. DATABASE_URL names the database, KAFKA the brokers.
import { KafkaInbox } from '@waybill/inbox';
import kafkajs from 'kafkajs';
import pg from 'pg';
import { ORDER_PLACED, payForOrders } from './orderPayments.js';
import { PaymentDomainService } from './paymentDomainService.js';
import { Tracing } from './tracing.js';

const SERVICE = 'payment-service';

if (!process.env.DATABASE_URL || !process.env.KAFKA) {
  console.error('usage: DATABASE_URL=postgresql://... KAFKA=HOST:PORT node consume.js');
  process.exit(2);
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// The pool opens another connection when it needs one.
pool.on('error', (error) => console.warn(`A connection was lost (${error.code ?? error.name})`));
const tracing = Tracing.start(SERVICE);
const inbox = await KafkaInbox.start({
  consumer: SERVICE,
  kafka: new kafkajs.Kafka({
    clientId: SERVICE,
    brokers: process.env.KAFKA.split(','),
    logLevel: kafkajs.logLevel.ERROR,
  }),
  topics: [ORDER_PLACED],
  pool,
  handlers: { [ORDER_PLACED]: payForOrders(new PaymentDomainService(pool)) },
  around: (event, topic, handle) => tracing.handle(event, topic, handle),
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => inbox.stop());
}
try {
  await inbox.ended;
} catch {
  // The log says why. The exit code has the service started again.
  process.exitCode = 1;
}
await pool.end();
await tracing.stop();
