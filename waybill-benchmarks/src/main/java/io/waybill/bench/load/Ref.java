package io.waybill.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Which event of which key: carried in every payload, so that the verifier needs nothing else. As a
 * number: key times a billion plus position.
 */
public final class Ref {
  private static final byte[] MARK = "\"ref\":".getBytes(StandardCharsets.US_ASCII);
  private static final long KEY_UNIT = 1_000_000_000L;
  private static final int KEY_DIGITS = 6;
  private static final int POSITION_DIGITS = 9;

  private Ref() {}

  /**
   * The event.
   *
   * @param key number of the key
   * @param position number of the event within its key, from 0
   * @return reference
   */
  public static long of(int key, long position) {
    return key * KEY_UNIT + position;
  }

  /**
   * Its key.
   *
   * @param ref reference
   * @return number of the key
   */
  public static int key(long ref) {
    return (int) (ref / KEY_UNIT);
  }

  /**
   * Its place.
   *
   * @param ref reference
   * @return number within the key
   */
  public static long position(long ref) {
    return ref % KEY_UNIT;
  }

  /**
   * As it stands in payloads.
   *
   * @param ref reference
   * @return key and position in fixed width
   */
  public static String text(long ref) {
    return "%06d-%09d".formatted(key(ref), position(ref));
  }

  /**
   * Finds the reference of a message.
   *
   * @param body payload, in an envelope or not
   * @return reference
   */
  public static long find(byte[] body) {
    int start = markEnd(body);
    long key = digits(body, start, KEY_DIGITS);
    return of((int) key, digits(body, start + KEY_DIGITS + 1, POSITION_DIGITS));
  }

  /**
   * Writes a reference over the one that a payload has.
   *
   * @param body payload
   * @param ref reference
   */
  public static void put(byte[] body, long ref) {
    int start = markEnd(body);
    long key = key(ref);
    for (int i = start + KEY_DIGITS - 1; i >= start; i--, key /= 10) {
      body[i] = (byte) ('0' + key % 10);
    }
    long position = position(ref);
    int last = start + KEY_DIGITS + POSITION_DIGITS;
    for (int i = last; i > start + KEY_DIGITS; i--, position /= 10) {
      body[i] = (byte) ('0' + position % 10);
    }
  }

  private static int markEnd(byte[] body) {
    for (int start = 0; start < body.length - MARK.length; start++) {
      int i = 0;
      while (i < MARK.length && body[start + i] == MARK[i]) {
        i++;
      }
      if (i == MARK.length) {
        // JSONB puts a blank before the value.
        return body[start + i] == ' ' ? start + i + 2 : start + i + 1;
      }
    }
    throw new IllegalArgumentException("A message without reference");
  }

  private static long digits(byte[] body, int from, int count) {
    long value = 0;
    for (int i = from; i < from + count; i++) {
      value = value * 10 + (body[i] - '0');
    }
    return value;
  }
}
