// As TemporaryErrors of Waybill's Java inbox has them.
const TEMPORARY_CLASSES = new Set(['08', '40', '53', '57', '58']);
const TEMPORARY_STATES = new Set([
  '0A000',
  '25006',
  '25P03',
  '25P04',
  '26000',
  '42P05',
  '55000',
  '55006',
  '55P03',
]);
const INTEGRITY_AT_COMMIT = '40002';
const TEMPORARY_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
const SQL_STATE = /^[0-9A-Z]{5}$/;

// The first line of these is about connections, locks, names and resources, never about values.
const SPEAKING_CLASSES =
  new Set(['08', '0A', '25', '28', '3D', '40', '42', '45', '53', '55', '57', '58', 'P0']);
const SYNTAX_ERROR = '42601';

// What the language itself throws shows the value that it could not read.
const QUOTING = [SyntaxError, RangeError, TypeError, URIError];
const MOST_CHARACTERS = 4_000;

/** What a handler throws when trying again can help. */
export class TemporaryError extends Error {
  name = 'TemporaryError';
}

/** What a handler throws when trying again can't help. */
export class PermanentError extends Error {
  name = 'PermanentError';
}

/** There is no handler for the type of an event. */
export class UnknownTypeError extends PermanentError {
  name = 'UnknownTypeError';
}

/** A message that is no event. */
export class Undecodable extends PermanentError {
  name = 'Undecodable';

  /** @param {string} reason as in the header waybill-dead-reason */
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

// Waybill's own: their messages are written for people.
const PLAIN = [PermanentError, TemporaryError, UnknownTypeError, Undecodable];

/** The SQLState of a server's answer, undefined if the error is none. */
export function sqlState(error) {
  const isAnswer = error?.severity !== undefined && SQL_STATE.test(error.code ?? '');
  return isAnswer ? error.code : undefined;
}

/** Whether trying again can help: what says nothing of itself is permanent. */
export function isTemporary(error) {
  const state = sqlState(error);
  if (state === undefined) {
    return error instanceof TemporaryError || TEMPORARY_CODES.has(error?.code);
  }
  return (
    state !== INTEGRITY_AT_COMMIT &&
    (TEMPORARY_STATES.has(state) || TEMPORARY_CLASSES.has(state.slice(0, 2)))
  );
}

/**
 * What log and dead letter tell of a failure: what the application wrote, and nothing that a server
 * or a parser made of values.
 */
export function describe(error) {
  return text(error).replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, MOST_CHARACTERS);
}

function text(error) {
  if (!(error instanceof Error)) {
    return `thrown: ${typeof error}`;
  }
  const state = sqlState(error);
  if (state !== undefined) {
    return sql(error, state);
  }
  if (error.message === '' || QUOTING.some((type) => error instanceof type)) {
    return error.name;
  }
  // The class of a subclass tells more than the reason does.
  return PLAIN.includes(error.constructor) ? error.message : `${error.name}: ${error.message}`;
}

function sql(error, state) {
  const names = ['constraint', 'table', 'column']
    .filter((what) => error[what])
    .map((what) => `, ${what} ${error[what]}`);
  const speaks = SPEAKING_CLASSES.has(state.slice(0, 2)) && state !== SYNTAX_ERROR;
  const line = speaks ? `: ${error.message.split('\n', 1)[0]}` : '';
  return `${error.name} (SQLState ${state}${names.join('')})${line}`;
}
