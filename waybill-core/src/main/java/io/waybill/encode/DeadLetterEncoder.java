package io.waybill.encode;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.JsonText;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes dead letters: JSON with {@code eventId, originalEvent, errorMessage, failedAt,
 * consumerService}. The original event is the whole original body; one that is not JSON is given as
 * base64, and {@code originalEventEncoding} says so. All original headers are kept, but for the
 * content type, which becomes {@code waybill-original-content-type}. White space around the
 * original stays, and then {@code waybill-original-length} says with how many bytes it is whole.
 * Thread-safe.
 */
public final class DeadLetterEncoder {
  private final String consumer;
  private final IsoTime time = new IsoTime();

  /**
   * An encoder.
   *
   * @param consumer name of the consumer, {@code consumerService} in the letters
   */
  public DeadLetterEncoder(String consumer) {
    this.consumer = consumer;
  }

  /**
   * What could not be handled.
   *
   * @param source topic or queue it came from
   * @param key message key, or null
   * @param body message body, or null
   * @param headers its headers
   * @param timestampMicros time of the message, microseconds since the epoch; 0 if there is none
   * @param event the event, null if the message is none
   */
  public record Original(
      String source,
      byte @Nullable [] key,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros,
      @Nullable ReceivedEvent event) {}

  /**
   * Why it could not be handled.
   *
   * @param reason short machine-readable class
   * @param error class and message of the failure, without payload
   * @param failedAt when it failed
   */
  public record Verdict(String reason, String error, Instant failedAt) {}

  /**
   * Makes a dead letter.
   *
   * @param original what could not be handled
   * @param verdict why
   * @param destination where it goes
   * @param sendId identifies the send
   * @return the message
   */
  public Outgoing encode(Original original, Verdict verdict, Destination destination, long sendId) {
    ReceivedEvent event = original.event();
    long failedMicros = ChronoUnit.MICROS.between(Instant.EPOCH, verdict.failedAt());
    return new Outgoing(
        sendId,
        destination,
        original.key(),
        body(original, verdict.error(), failedMicros),
        Payload.JSON,
        event == null ? "" : event.id(),
        event == null ? "" : event.type(),
        Math.floorDiv(failedMicros, 1000L),
        headers(original, verdict.reason()));
  }

  private byte[] body(Original original, String error, long failedMicros) {
    byte[] bytes = original.body();
    ReceivedEvent event = original.event();
    return JsonBody.object(
        bytes == null ? 0 : bytes.length / 3 * 4,
        json -> {
          if (event == null) {
            json.none("eventId");
          } else {
            json.text("eventId", event.id());
          }
          originalEvent(json, bytes);
          json.text("errorMessage", error);
          json.text("failedAt", time.format(failedMicros));
          json.text("consumerService", consumer);
        });
  }

  private static void originalEvent(JsonBody json, byte @Nullable [] bytes) {
    if (bytes == null) {
      json.none("originalEvent");
    } else if (JsonText.violation(bytes) == null && !isNull(bytes)) {
      json.embedded("originalEvent", bytes);
    } else {
      json.base64("originalEvent", bytes);
      json.text("originalEventEncoding", "base64");
    }
  }

  /** A body that is the JSON value null would be taken for none. */
  private static boolean isNull(byte[] json) {
    return new String(json, StandardCharsets.US_ASCII).strip().equals("null");
  }

  private List<Header> headers(Original original, String reason) {
    List<Header> headers = LetterHeaders.kept(original.headers());
    byte[] body = original.body();
    if (body != null && isSpaced(body)) {
      headers.add(new Header(LetterHeaders.ORIGINAL_LENGTH, Integer.toString(body.length)));
    }
    headers.add(new Header(LetterHeaders.CONTENT_TYPE, Payload.JSON));
    headers.add(new Header(LetterHeaders.REASON, reason));
    headers.add(new Header(LetterHeaders.SOURCE, original.source()));
    headers.add(new Header(LetterHeaders.CONSUMER, consumer));
    return headers;
  }

  private static boolean isSpaced(byte[] body) {
    return body.length > 0
        && (JsonMembers.isSpace(body[0]) || JsonMembers.isSpace(body[body.length - 1]));
  }
}
