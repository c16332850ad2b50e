package io.waybill.layout;

/** Type of a payload column. */
public enum PayloadKind {
  /** Bytes: they come out as they went in. */
  BYTES,
  /** JSON, binary or not: it comes out as the database prints it. */
  JSON,
  /** Text: it comes out in UTF-8. */
  TEXT
}
