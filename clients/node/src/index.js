export { decode } from './decode.js';
export { PermanentError, TemporaryError, Undecodable, UnknownTypeError } from './failures.js';
export { Inbox } from './inbox.js';
export { KafkaInbox } from './kafka.js';
export { EventLog } from './log.js';
export { inTransaction } from './transaction.js';
