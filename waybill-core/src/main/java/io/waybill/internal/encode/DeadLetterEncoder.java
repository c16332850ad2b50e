package io.waybill.internal.encode;

import io.waybill.broker.Outgoing;
import io.waybill.internal.text.JsonText;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes dead letters: JSON with {@code eventId, originalEvent, errorMessage, failedAt,
 * consumerService}. The original event is the whole original body; a body that is not JSON is
 * encoded as base64, and {@code originalEventEncoding} says so. All original headers are kept,
 * except the content type, which becomes {@code waybill-original-content-type}. White space around
 * the original is kept; {@code waybill-original-length} then has the complete length in bytes.
 *
 * <p>For a broker that refuses such a dead letter there are {@link DeadLetterForm two smaller
 * forms}. One has the original's body and content type, all of its headers, and additionally {@code
 * waybill-dead-error} and {@code waybill-dead-failed-at}. The other has {@code originalLength},
 * {@code originalSha256} (of the body, in hexadecimal digits) and {@code originalPlace} in place of
 * {@code originalEvent}. It also has {@code eventType}, which may be unknown otherwise, and as much
 * of the key and the headers as fits into 16 KiB. Thread-safe.
 */
public final class DeadLetterEncoder {
  // Of a letter without body: brokers take so much in any case.
  private static final int MOST_HEADER_BYTES = 16 << 10;

  private final String consumer;
  private final IsoTime time = new IsoTime();

  /**
   * Creates an encoder.
   *
   * @param consumer name of the consumer, {@code consumerService} in the dead letters
   */
  public DeadLetterEncoder(String consumer) {
    this.consumer = consumer;
  }

  /**
   * A message that could not be handled.
   *
   * @param source topic or queue it came from
   * @param key message key, or null
   * @param body message body, or null
   * @param headers its headers
   * @param timestampMicros time of the message, microseconds since the epoch; 0 if there is none
   * @param place its position, a partition and an offset as {@code orders-3@15}; null if it is gone
   *     once it is acknowledged, as from a queue
   * @param event the event, null if the message is none
   */
  public record Original(
      String source,
      byte @Nullable [] key,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros,
      @Nullable String place,
      @Nullable ReceivedEvent event) {}

  /**
   * The reason why a message could not be handled.
   *
   * @param reason short machine-readable class
   * @param error class and message of the failure, without payload
   * @param failedAt when it failed
   */
  public record Verdict(String reason, String error, Instant failedAt) {}

  /**
   * Makes a dead letter.
   *
   * @param original the message that could not be handled
   * @param verdict the reason
   * @param form how much of the original it has
   * @param destination its destination
   * @param sendId identifies the send
   * @return the message
   */
  public Outgoing encode(
      Original original,
      Verdict verdict,
      DeadLetterForm form,
      Destination destination,
      long sendId) {
    ReceivedEvent event = original.event();
    long failedMicros = ChronoUnit.MICROS.between(Instant.EPOCH, verdict.failedAt());
    String failedAt = time.format(failedMicros);
    boolean isRaw = form == DeadLetterForm.RAW;
    byte[] key = original.key();
    boolean isKeyed = form != DeadLetterForm.WITHOUT_BODY || (key != null && fits(key.length));
    String type = isRaw ? original.headers().get(DeadLetterHeaders.CONTENT_TYPE) : Payload.JSON;
    return new Outgoing(
        sendId,
        destination,
        isKeyed ? key : null,
        isRaw ? original.body() : body(original, verdict.error(), failedAt, form),
        type == null ? "" : type,
        event == null ? "" : event.id(),
        event == null ? "" : event.type(),
        Math.floorDiv(failedMicros, 1000L),
        headers(original, verdict, failedAt, form));
  }

  private static boolean fits(int bytes) {
    return bytes <= MOST_HEADER_BYTES;
  }

  private byte[] body(Original original, String error, String failedAt, DeadLetterForm form) {
    byte[] bytes = original.body();
    ReceivedEvent event = original.event();
    boolean isWhole = form == DeadLetterForm.JSON;
    return JsonBody.object(
        bytes == null || !isWhole ? 0 : bytes.length / 3 * 4,
        json -> {
          if (event == null) {
            json.none("eventId");
          } else {
            json.text("eventId", event.id());
          }
          if (isWhole) {
            originalEvent(json, bytes);
          } else {
            missing(json, original);
          }
          json.text("errorMessage", error);
          json.text("failedAt", failedAt);
          json.text("consumerService", consumer);
        });
  }

  /** No originalEvent at all: null is that of a tombstone, which nobody may take it for. */
  private static void missing(JsonBody json, Original original) {
    byte[] bytes = original.body();
    ReceivedEvent event = original.event();
    json.textIfKnown("eventType", event == null ? null : event.type());
    json.number("originalLength", bytes == null ? 0 : bytes.length);
    json.textIfKnown("originalSha256", bytes == null ? null : sha256(bytes));
    json.textIfKnown("originalPlace", original.place());
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
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

  private List<Header> headers(
      Original original, Verdict verdict, String failedAt, DeadLetterForm form) {
    List<Header> headers =
        switch (form) {
          case JSON -> withLength(DeadLetterHeaders.kept(original.headers()), original.body());
          case RAW -> new ArrayList<>(DeadLetterHeaders.raw(original.headers()));
          case WITHOUT_BODY -> first(DeadLetterHeaders.kept(original.headers()));
        };
    if (form == DeadLetterForm.RAW) {
      headers.add(new Header(DeadLetterHeaders.ERROR, verdict.error()));
      headers.add(new Header(DeadLetterHeaders.FAILED_AT, failedAt));
      headers.add(new Header(DeadLetterHeaders.BODY, DeadLetterHeaders.RAW));
    } else {
      headers.add(new Header(DeadLetterHeaders.CONTENT_TYPE, Payload.JSON));
    }
    if (form == DeadLetterForm.WITHOUT_BODY) {
      headers.add(new Header(DeadLetterHeaders.BODY, DeadLetterHeaders.MISSING));
    }
    headers.add(new Header(DeadLetterHeaders.REASON, verdict.reason()));
    headers.add(new Header(DeadLetterHeaders.SOURCE, original.source()));
    headers.add(new Header(DeadLetterHeaders.CONSUMER, consumer));
    return headers;
  }

  private static List<Header> withLength(List<Header> headers, byte @Nullable [] body) {
    if (body != null && isSpaced(body)) {
      headers.add(new Header(DeadLetterHeaders.ORIGINAL_LENGTH, Integer.toString(body.length)));
    }
    return headers;
  }

  /** Those that fit, in their order. */
  private static List<Header> first(List<Header> headers) {
    List<Header> fitting = new ArrayList<>();
    int bytes = 0;
    for (Header header : headers) {
      int size =
          header.name().getBytes(StandardCharsets.UTF_8).length
              + header.value().getBytes(StandardCharsets.UTF_8).length;
      if (fits(bytes + size)) {
        bytes += size;
        fitting.add(header);
      }
    }
    return fitting;
  }

  private static boolean isSpaced(byte[] body) {
    return body.length > 0
        && (JsonMembers.isSpace(body[0]) || JsonMembers.isSpace(body[body.length - 1]));
  }
}
