package io.waybill.proof.proxy;

/** Frames that rules tell from others. */
public enum FrameKind {
  /** PostgreSQL's {@code CommandComplete COMMIT}; MySQL's OK packet that answers {@code COMMIT}. */
  COMMIT_REPLY,
  /** The end of a statement that wrote outside a transaction block. */
  AUTOCOMMIT_REPLY,
  /** The end of any other statement. */
  STATEMENT_REPLY,
  /** AMQP {@code basic.publish}, with its content. */
  BASIC_PUBLISH,
  /** AMQP {@code basic.ack}: of the broker for a publisher, or of a consumer. */
  BASIC_ACK,
  /** AMQP {@code basic.nack}. */
  BASIC_NACK,
  /** AMQP {@code basic.return}, with its content. */
  BASIC_RETURN,
  /** Kafka's {@code Produce} request. */
  PRODUCE_REQUEST,
  /** The answer to a Kafka {@code Produce} request. */
  PRODUCE_RESPONSE,
  /** The answer to a Kafka {@code OffsetCommit} request. */
  OFFSET_COMMIT_RESPONSE,
  /** Everything else. */
  OTHER
}
