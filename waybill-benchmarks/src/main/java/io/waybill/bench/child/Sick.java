package io.waybill.bench.child;

import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import java.util.Arrays;

/**
 * Which events of a load have something wrong with them, from a position of their keys on.
 *
 * @param kind what is wrong with them
 * @param from first position, the same for all keys
 */
public record Sick(Kind kind, long from) {
  /** Type of events that go to another destination than the others. */
  static final String TYPE = "order.sick";

  /** What the name of that destination ends with. */
  public static final String SUFFIX = ".sick";

  private static final int ONE_IN = 10;
  private static final int TOO_LARGE = 400_000;

  /** What can be wrong. */
  public enum Kind {
    /** Nothing. */
    NONE,
    /** One key in ten goes to another destination, which takes nothing or does not exist. */
    DESTINATION,
    /** The events of one key are larger than the destination takes. */
    KEY
  }

  static Sick of(Settings settings) {
    return settings.has("sick")
        ? new Sick(Kind.valueOf(settings.text("sick")), settings.number("sick-from"))
        : new Sick(Kind.NONE, 0);
  }

  /**
   * Whether an event is one of them.
   *
   * @param ref the event
   * @return true from the first position on, for some keys
   */
  public boolean has(long ref) {
    return hasKey(ref) && Ref.position(ref) >= from;
  }

  /**
   * Whether an event's key is one of those.
   *
   * @param ref the event
   * @return true for some keys
   */
  public boolean hasKey(long ref) {
    return switch (kind) {
      case NONE -> false;
      case DESTINATION -> Ref.key(ref) % ONE_IN == 0;
      case KEY -> Ref.key(ref) == 0;
    };
  }

  String type(byte[] body, String usual) {
    return kind == Kind.DESTINATION && has(Ref.find(body)) ? TYPE : usual;
  }

  byte[] payload(byte[] body) {
    if (kind != Kind.KEY || !has(Ref.find(body))) {
      return body;
    }
    byte[] large = Arrays.copyOf(body, TOO_LARGE);
    Arrays.fill(large, body.length, large.length, (byte) ' ');
    return large;
  }
}
