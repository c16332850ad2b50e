package io.waybill.proof.sim.relay;

import java.util.List;

/** Why a destination takes nothing, whatever the message is. */
public enum Refusal {
  /** Its only queue is full. */
  FULL_QUEUE("nacked"),
  /** One of its queues failed, and another one may have a copy. */
  NACK("nacked"),
  /** Nothing is bound for the routing key. */
  UNROUTABLE("unroutable"),
  /** Its exchange does not exist. */
  EXCHANGE_MISSING("exchange-missing"),
  /** The relay may not write to its exchange. */
  ACCESS_REFUSED("access-refused"),
  /** The topic does not exist. */
  TOPIC_MISSING("topic-missing"),
  /** The relay may not write to the topic. */
  NOT_AUTHORIZED("not-authorized"),
  /** The topic does not take records of this time. */
  TIME_REFUSED("invalid-timestamp");

  private static final List<Refusal> KAFKA = List.of(TOPIC_MISSING, NOT_AUTHORIZED, TIME_REFUSED);
  private static final List<Refusal> RABBIT =
      List.of(FULL_QUEUE, NACK, UNROUTABLE, EXCHANGE_MISSING, ACCESS_REFUSED);

  final String reason;

  Refusal(String reason) {
    this.reason = reason;
  }

  /** Those of one kind of broker. */
  static List<Refusal> of(boolean kafka) {
    return kafka ? KAFKA : RABBIT;
  }

  boolean isKafka() {
    return KAFKA.contains(this);
  }

  /** Whether it ends the channel that the message came on. */
  boolean closesChannel() {
    return this == EXCHANGE_MISSING || this == ACCESS_REFUSED;
  }
}
