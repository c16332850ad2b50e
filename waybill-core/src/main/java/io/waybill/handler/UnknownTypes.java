package io.waybill.handler;

/** What happens to events of a type and version without a handler. */
public enum UnknownTypes {
  /** They are acknowledged unseen and not recorded as processed. */
  IGNORE,
  /** They are dead-lettered, each once. */
  DEAD_LETTER,
  /** Their lane stops until a process with a handler or another policy takes it over. */
  FAIL
}
