const TEMPORARY_STATES = /^(08|40|53|57|58|55P03$|25P03$)/;
const TEMPORARY_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

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

/** Whether trying again can help: what says nothing of itself is permanent. */
export function isTemporary(error) {
  return (
    error instanceof TemporaryError ||
    TEMPORARY_CODES.has(error?.code) ||
    TEMPORARY_STATES.test(error?.code ?? '')
  );
}
