package io.waybill.inbox;

/** What becomes of events of a type and version without handler. */
public enum UnknownTypes {
  /** They are acknowledged unseen and not noted as processed. */
  IGNORE,
  /** They are dead-lettered, each once. */
  DEAD_LETTER,
  /** Their lane stops until somebody deploys a handler or changes the policy. */
  FAIL
}
