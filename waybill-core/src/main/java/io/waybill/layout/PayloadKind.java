package io.waybill.layout;

/** Type of a payload column. */
public enum PayloadKind {
  /** Bytes: read exactly as written. */
  BYTES,
  /** JSON, binary or not: read as the database prints it. */
  JSON,
  /** Text: read as UTF-8. */
  TEXT
}
