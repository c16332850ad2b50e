package io.waybill.spring.modulith;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.util.ClassUtils;

/**
 * What Modulith's mapping made of an event: an object, or a message of Spring's around one.
 *
 * @param payload the object
 * @param headers of the message, without those that are for Spring and its clients of brokers
 */
record Sent(Object payload, Map<String, Object> headers) {
  private static final boolean MESSAGES =
      ClassUtils.isPresent("org.springframework.messaging.Message", Sent.class.getClassLoader());

  static Sent of(Object mapped) {
    return MESSAGES && mapped instanceof Message<?> message
        ? new Sent(message.getPayload(), headers(message.getHeaders()))
        : new Sent(mapped, Map.of());
  }

  private static Map<String, Object> headers(MessageHeaders all) {
    Map<String, Object> own = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          boolean internal =
              name.equals(MessageHeaders.ID)
                  || name.equals(MessageHeaders.TIMESTAMP)
                  || name.startsWith("kafka_")
                  || name.startsWith("amqp_");
          if (!internal) {
            own.put(name, value);
          }
        });
    return own;
  }
}
