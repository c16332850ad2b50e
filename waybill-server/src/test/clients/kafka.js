// Prints each message of a topic as a line of JSON. usage: node kafka.js HOST:PORT TOPIC
import kafkajs from 'kafkajs';

const [broker, topic] = process.argv.slice(2);
const kafka = new kafkajs.Kafka({
  clientId: 'documented',
  brokers: [broker],
  logLevel: kafkajs.logLevel.ERROR,
});
const consumer = kafka.consumer({ groupId: 'documented' });

// The process that started it has ended.
process.stdin.resume().on('end', () => process.exit());
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message }) => {
    const key = message.key === null ? null : message.key.toString();
    console.log(JSON.stringify({ place: topic, key, body: JSON.parse(message.value.toString()) }));
  },
});
