package io.waybill.testkit.sim;

import io.waybill.encode.Decoder;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event of a run, of which the broker has several copies. */
final class InboxMessage {
  static final String SOURCE = "orders";
  static final String SINGLE = "single";
  static final String BATCHED = "batched";
  static final String UNKNOWN = "unknown";

  /** How its handler behaves. */
  enum Kind {
    FINE,
    FLAKY,
    PERMANENT,
    ENDLESS,
    KILLER,
    UNKNOWN_TYPE,
    UNDECODABLE
  }

  final int number;
  final Kind kind;
  final int key;
  final int lane;
  final String type;
  // Tries that fail before one succeeds, of a flaky one.
  final int failures;
  // Whom an operator has sent it again for; null if nobody has.
  final @Nullable String redrivenFor;
  // Whose letter an operator has sent again as this one; null if it is no such copy.
  final @Nullable InboxMessage original;
  // Too large for the table of deferred events.
  final boolean bulky;
  final Headers headers;
  // Of the same key, the one before; null for the first.
  final @Nullable InboxMessage before;

  InboxMessage(
      int number,
      Kind kind,
      int key,
      int lane,
      String type,
      int failures,
      @Nullable String redrivenFor,
      boolean bulky,
      @Nullable InboxMessage before) {
    this(number, kind, key, lane, type, failures, redrivenFor, bulky, before, null);
  }

  private InboxMessage(
      int number,
      Kind kind,
      int key,
      int lane,
      String type,
      int failures,
      @Nullable String redrivenFor,
      boolean bulky,
      @Nullable InboxMessage before,
      @Nullable InboxMessage original) {
    this.number = number;
    this.kind = kind;
    this.key = key;
    this.lane = lane;
    this.type = type;
    this.failures = failures;
    this.redrivenFor = redrivenFor;
    this.bulky = bulky;
    this.before = before;
    this.original = original;
    this.headers = headers();
  }

  /** Its letter, sent again for a consumer that gave it up, and whose handler is mended. */
  InboxMessage redriven(int newNumber, String consumer) {
    return new InboxMessage(newNumber, Kind.FINE, key, lane, type, 0, consumer, false, null, this);
  }

  private Headers headers() {
    List<Header> list = new ArrayList<>();
    list.add(new Header("number", Integer.toString(number)));
    if (kind != Kind.UNDECODABLE) {
      list.add(new Header("waybill-event-id", original == null ? id() : original.id()));
      list.add(new Header("waybill-event-type", type));
    }
    if (redrivenFor != null) {
      list.add(new Header(Decoder.REDRIVEN_FOR, redrivenFor));
    }
    if (original != null) {
      list.add(new Header(Decoder.REDRIVEN, "1"));
    }
    return new Headers(list);
  }

  /** Whether it was sent again for another than that one. */
  boolean isForAnother(String consumer) {
    return redrivenFor != null && !redrivenFor.equals(consumer);
  }

  /** As the inbox tables know it. */
  String id() {
    return original == null ? "e" + number : original.id() + "~1";
  }

  byte @Nullable [] keyBytes() {
    return key < 0 ? null : ("k" + key).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public String toString() {
    return id()
        + " "
        + kind
        + " k"
        + key
        + " lane-"
        + lane
        + (bulky ? " bulky" : "")
        + (redrivenFor == null ? "" : " for " + redrivenFor);
  }
}
