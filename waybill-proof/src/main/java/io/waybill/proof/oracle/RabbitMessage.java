package io.waybill.proof.oracle;

import java.util.Map;

/**
 * A message as a consumer of a queue saw it, texts in UTF-8.
 *
 * @param queue the queue
 * @param id AMQP's message id
 * @param body its body
 * @param headers its headers as texts
 * @param redelivered whether the broker delivered it before
 */
public record RabbitMessage(
    String queue, String id, String body, Map<String, String> headers, boolean redelivered) {
  /** Copies the headers. */
  public RabbitMessage {
    headers = Map.copyOf(headers);
  }
}
