package io.waybill.internal.relay;

import io.waybill.internal.relay.KeyQueue.Parked;
import io.waybill.message.EventKey;
import io.waybill.store.RowRef;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The resting keys of one lane, as bytes one behind the other, and a hash table of where each
 * begins. An entry is: flags, the number of the breaker that it waits for, id and time of the
 * parked row if it has one, name. Numbers are as short as they can be.
 */
final class RestingLane {
  private static final int PARKED = 1;
  private static final int AFTER_UNKNOWN = 2;
  private static final int HELD = 4;
  private static final int TAKEN = 8;
  private static final int UUID_ID = 16;
  private static final int TEXT_ID = 32;

  private static final int TAKEN_SLOT = -1;
  private static final int MOST_BYTES = 1 << 30;

  private byte[] entries = new byte[512];
  private int end;
  // Where entries begin, plus one; 0 for a slot that was never used.
  private int[] slots = new int[32];
  private int usedSlots;
  private int live;
  private int parked;
  private int takenBytes;
  // Unparked keys, by the breaker that they wait for.
  private int[] waiting = new int[1];
  private final long firstMicros;
  private int moves;
  // Where the next number or text is read.
  private int at;

  /**
   * A key as it rests.
   *
   * @param held whether rows wait in the database, however many
   * @param waitsFor number of a breaker, or 0
   */
  record Resting(EventKey name, @Nullable Parked parked, boolean held, int waitsFor) {}

  /** A lane whose rows were created about then. */
  RestingLane(long firstMicros) {
    this.firstMicros = firstMicros;
  }

  /** Whether the id of a row can be written here. */
  static boolean takes(Object rowId) {
    return rowId instanceof Long || rowId instanceof UUID || rowId instanceof String;
  }

  boolean isFull() {
    return end > MOST_BYTES;
  }

  void add(Resting key) {
    byte[] name = RestingBytes.nameOf(key.name());
    ByteBuffer entry = ByteBuffer.allocate(64 + name.length + idBytes(key.parked()));
    write(key, entry);
    entry.put(name);
    int size = entry.position();
    makeRoom(size);
    System.arraycopy(entry.array(), 0, entries, end, size);
    insert(RestingBytes.hash(name, 0, name.length), end);
    end += size;
    live++;
    count(key.parked() != null, key.waitsFor(), 1);
  }

  private static int idBytes(@Nullable Parked parked) {
    return parked != null && parked.row().rowId() instanceof String text ? 4 * text.length() : 0;
  }

  private void write(Resting key, ByteBuffer entry) {
    Parked row = key.parked();
    int flags = key.held() ? HELD : 0;
    if (row == null) {
      entry.put((byte) flags);
      RestingBytes.putNumber(entry, key.waitsFor());
      return;
    }
    flags |= PARKED | (row.afterUnknown() ? AFTER_UNKNOWN : 0);
    Object id = row.row().rowId();
    flags |= id instanceof UUID ? UUID_ID : id instanceof String ? TEXT_ID : 0;
    entry.put((byte) flags);
    RestingBytes.putNumber(entry, key.waitsFor());
    if (id instanceof UUID uuid) {
      entry.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    } else if (id instanceof String text) {
      RestingBytes.putText(entry, text);
    } else {
      RestingBytes.putNumber(entry, (Long) id);
    }
    RestingBytes.putNumber(entry, row.row().createdAtMicros() - firstMicros);
  }

  private long number() {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte part = entries[at++];
      number |= (part & 0x7FL) << shift;
      if (part >= 0) {
        return (number >>> 1) ^ -(number & 1);
      }
    }
  }

  private String text() {
    int length = (int) number();
    at += length;
    return new String(entries, at - length, length, StandardCharsets.UTF_8);
  }

  private void makeRoom(int size) {
    if (end + size > entries.length && takenBytes > end / 4) {
      dropTaken();
    }
    if (end + size > entries.length) {
      entries = Arrays.copyOf(entries, Math.max(end + size, entries.length / 4 * 5));
    }
    if ((usedSlots + 1) * 3L > slots.length * 2L) {
      fillSlots();
    }
  }

  private void dropTaken() {
    int kept = 0;
    for (int from = 0; from < end; ) {
      int next = next(from);
      if (isLive(from)) {
        System.arraycopy(entries, from, entries, kept, next - from);
        kept += next - from;
      }
      from = next;
    }
    end = kept;
    takenBytes = 0;
    moves++;
    fillSlots();
  }

  private void fillSlots() {
    slots = new int[Math.max(32, 2 * (live + 1))];
    usedSlots = 0;
    for (int entry = 0; entry < end; entry = next(entry)) {
      if (isLive(entry)) {
        insert(hashOf(entry), entry);
      }
    }
  }

  private void insert(int hash, int entry) {
    int slot = first(hash);
    while (slots[slot] > 0) {
      slot = after(slot);
    }
    usedSlots += slots[slot] == 0 ? 1 : 0;
    slots[slot] = entry + 1;
  }

  private int first(int hash) {
    return (int) (((hash & 0xFFFFFFFFL) * slots.length) >>> 32);
  }

  private int after(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }

  private int hashOf(int entry) {
    int from = nameAt(entry);
    return RestingBytes.hash(entries, from, next(entry));
  }

  /** The key, which rests no longer; null if it did not. */
  @Nullable Resting take(EventKey key) {
    byte[] name = RestingBytes.nameOf(key);
    int slot = first(RestingBytes.hash(name, 0, name.length));
    for (; slots[slot] != 0; slot = after(slot)) {
      if (slots[slot] != TAKEN_SLOT && isNamed(slots[slot] - 1, name)) {
        return take(slot);
      }
    }
    return null;
  }

  /** A name says how long it is: one that begins like another is that. */
  private boolean isNamed(int entry, byte[] name) {
    int from = nameAt(entry);
    int to = from + name.length;
    return to <= end && Arrays.equals(entries, from, to, name, 0, name.length);
  }

  /** The key of an entry, which rests no longer. */
  Resting takeAt(int entry) {
    int slot = first(hashOf(entry));
    while (slots[slot] != entry + 1) {
      slot = after(slot);
    }
    return take(slot);
  }

  private Resting take(int slot) {
    int entry = slots[slot] - 1;
    Resting key = read(entry);
    slots[slot] = TAKEN_SLOT;
    takenBytes += next(entry) - entry;
    entries[entry] |= TAKEN;
    live--;
    count(key.parked() != null, key.waitsFor(), -1);
    return key;
  }

  private void count(boolean isParked, int waitsFor, int change) {
    if (isParked) {
      parked += change;
      return;
    }
    if (waitsFor >= waiting.length) {
      waiting = Arrays.copyOf(waiting, waitsFor + 1);
    }
    waiting[waitsFor] += change;
  }

  Resting read(int entry) {
    at = entry;
    int flags = entries[at++];
    int waitsFor = (int) number();
    Parked row = null;
    if ((flags & PARKED) != 0) {
      Object id = rowId(flags);
      RowRef ref = new RowRef(id, number() + firstMicros);
      row = new Parked(ref, (flags & AFTER_UNKNOWN) != 0, null);
    }
    EventKey name = new EventKey(text(), text());
    return new Resting(name, row, (flags & HELD) != 0, waitsFor);
  }

  private Object rowId(int flags) {
    if ((flags & UUID_ID) != 0) {
      ByteBuffer bytes = ByteBuffer.wrap(entries, at, 16);
      at += 16;
      return new UUID(bytes.getLong(), bytes.getLong());
    }
    return (flags & TEXT_ID) != 0 ? text() : (Object) number();
  }

  private int nameAt(int entry) {
    at = entry;
    int flags = entries[at++];
    number();
    if ((flags & PARKED) != 0) {
      if ((flags & UUID_ID) != 0) {
        at += 16;
      } else {
        long id = number();
        at += (flags & TEXT_ID) != 0 ? (int) id : 0;
      }
      number();
    }
    return at;
  }

  /** Where the entry behind this one begins. */
  int next(int entry) {
    at = nameAt(entry);
    skipText();
    skipText();
    return at;
  }

  private void skipText() {
    int length = (int) number();
    at += length;
  }

  boolean isLive(int entry) {
    return (entries[entry] & TAKEN) == 0;
  }

  boolean isParked(int entry) {
    return (entries[entry] & PARKED) != 0;
  }

  int waitsFor(int entry) {
    at = entry + 1;
    return (int) number();
  }

  int end() {
    return end;
  }

  int size() {
    return live;
  }

  int parked() {
    return parked;
  }

  /** Unparked keys that wait for a breaker, or for none. */
  int waiting(int breaker) {
    return breaker < waiting.length ? waiting[breaker] : 0;
  }

  /** How often entries came to stand elsewhere. */
  int moves() {
    return moves;
  }

  long bytes() {
    return entries.length + 4L * slots.length;
  }
}
