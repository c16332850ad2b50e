package io.waybill.proof.sim.inbox;

import io.waybill.internal.encode.RedriveMarks;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.proof.sim.seed.Dice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event of a run, of which the broker has several copies. */
final class InboxMessage {
  static final String SOURCE = "orders";

  /** How long the handler of a slow one takes, in nanoseconds. */
  static final long SLOW = 20 * Dice.MS;

  static final String SINGLE = "single";
  static final String BATCHED = "batched";
  static final String UNKNOWN = "unknown";

  /** A name that no consumer has any more. */
  static final String FORMER = "depot";

  /** How its handler behaves. */
  enum Kind {
    FINE,
    FLAKY,
    PERMANENT,
    ENDLESS,
    KILLER,
    HANGING,
    SLOW,
    UNKNOWN_TYPE,
    UNDECODABLE
  }

  /** What a handler runs that ends the transaction. */
  enum Statement {
    NONE,
    COMMIT,
    ROLLBACK
  }

  /** What is refused of it until somebody has seen to that. */
  enum Refused {
    NOTHING,
    LETTER,
    VALUES
  }

  /**
   * What its handler does.
   *
   * @param kind how it behaves
   * @param failures tries that fail before one succeeds, of a flaky one and a permanent one
   * @param statement what it runs before that
   * @param refused what is refused
   */
  record Handling(Kind kind, int failures, Statement statement, Refused refused) {
    Handling(Kind kind, int failures, Statement statement) {
      this(kind, failures, statement, Refused.NOTHING);
    }

    Handling mended() {
      return new Handling(
          Kind.FINE, 0, statement == Statement.ROLLBACK ? Statement.NONE : statement);
    }
  }

  final int number;
  final Handling handling;
  final Kind kind;
  final int key;
  final int lane;
  final String type;
  // Whom an operator has sent it again for; null if nobody has.
  final @Nullable String redrivenFor;
  // Whose letter an operator has sent again as this one; null if it is no such copy.
  final @Nullable InboxMessage original;
  // Too large for the table of deferred events.
  final boolean bulky;
  final Headers headers;
  // Of the same key, the one before; null for the first.
  final @Nullable InboxMessage before;
  // What a service made it of that passes headers on, and names it like a redriven copy; or null.
  final @Nullable InboxMessage cause;

  InboxMessage(
      int number,
      Handling handling,
      int key,
      int lane,
      String type,
      @Nullable String redrivenFor,
      boolean bulky,
      @Nullable InboxMessage before,
      @Nullable InboxMessage cause) {
    this(number, handling, key, lane, type, redrivenFor, bulky, before, cause, null);
  }

  private InboxMessage(
      int number,
      Handling handling,
      int key,
      int lane,
      String type,
      @Nullable String redrivenFor,
      boolean bulky,
      @Nullable InboxMessage before,
      @Nullable InboxMessage cause,
      @Nullable InboxMessage original) {
    this.number = number;
    this.handling = handling;
    this.kind = handling.kind();
    this.key = key;
    this.lane = lane;
    this.type = type;
    this.redrivenFor = redrivenFor;
    this.bulky = bulky;
    this.before = before;
    this.cause = cause;
    this.original = original;
    this.headers = headers();
  }

  /** Its letter, sent again for a consumer that gave it up, and whose handler is mended. */
  InboxMessage redriven(int newNumber, String consumer) {
    return new InboxMessage(
        newNumber, handling.mended(), key, lane, type, consumer, false, null, null, this);
  }

  private Headers headers() {
    List<Header> list = new ArrayList<>();
    list.add(new Header("number", Integer.toString(number)));
    if (kind != Kind.UNDECODABLE) {
      list.add(new Header("waybill-event-id", original == null ? id() : original.id()));
      list.add(new Header("waybill-event-type", type));
    }
    if (redrivenFor != null) {
      mark(list, redrivenFor, original == null ? this : original);
    } else if (cause != null) {
      mark(list, FORMER, cause);
    }
    return new Headers(list);
  }

  private void mark(List<Header> list, String consumer, InboxMessage marked) {
    list.add(new Header(RedriveMarks.CONSUMER, consumer));
    if (marked.kind != Kind.UNDECODABLE) {
      list.add(new Header(RedriveMarks.EVENT, marked.id()));
    }
    if (original != null || marked == cause) {
      list.add(new Header(RedriveMarks.TIMES, "1"));
    }
  }

  boolean isSlow() {
    return kind == Kind.SLOW;
  }

  /** Whether it was sent again for another than that one. */
  boolean isForAnother(String consumer) {
    return redrivenFor != null && !redrivenFor.equals(consumer);
  }

  /** As the inbox tables know it. */
  String id() {
    if (original != null) {
      return original.id() + " 1";
    }
    return cause == null ? "e" + number : cause.id() + "~1";
  }

  byte @Nullable [] keyBytes() {
    return key < 0 ? null : ("k" + key).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public String toString() {
    return id()
        + " "
        + kind
        + (handling.statement == Statement.NONE ? "" : " with " + handling.statement)
        + " k"
        + key
        + " lane-"
        + lane
        + (handling.refused == Refused.NOTHING ? "" : " " + handling.refused + " refused")
        + (bulky ? " bulky" : "")
        + (redrivenFor == null ? "" : " for " + redrivenFor);
  }
}
