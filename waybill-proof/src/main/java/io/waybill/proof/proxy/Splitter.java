package io.waybill.proof.proxy;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one direction into frames, whatever pieces they arrive in. Keeps only the
 * beginning of a frame that cannot be named yet. Used by one thread.
 */
final class Splitter {
  /** Takes frames: one begin, its bytes in pieces, one end. */
  interface Sink {
    void begin(Frame frame) throws InterruptedException;

    void bytes(byte[] data, int offset, int length) throws InterruptedException;

    void end() throws InterruptedException;
  }

  private final Conversation conversation;
  private final Direction direction;
  private final Sink sink;
  private final ByteBuffer held = ByteBuffer.allocate(Conversation.LOOK);
  private long left;

  Splitter(Conversation conversation, Direction direction, Sink sink) {
    this.conversation = conversation;
    this.direction = direction;
    this.sink = sink;
  }

  void accept(byte[] data, int length) throws InterruptedException {
    int at = 0;
    while (at < length) {
      if (left > 0) {
        at += pass(data, at, length - at);
      } else if (held.position() > 0) {
        at += complete(data, at, length - at);
      } else {
        at += start(data, at, length - at);
      }
    }
  }

  /** Passes on the beginning of a frame that never became whole. */
  void finish() throws InterruptedException {
    if (held.position() > 0) {
      begin(Frame.other("bytes", held.position()));
      pass(held.array(), 0, held.position());
      held.clear();
    }
  }

  private int pass(byte[] data, int offset, int available) throws InterruptedException {
    int count = (int) Math.min(left, available);
    sink.bytes(data, offset, count);
    left -= count;
    if (left == 0) {
      sink.end();
    }
    return count;
  }

  private int start(byte[] data, int offset, int available) throws InterruptedException {
    Frame frame = conversation.head(direction, ByteBuffer.wrap(data, offset, available));
    if (frame == null) {
      held.put(data, offset, available);
      return available;
    }
    begin(frame);
    return 0;
  }

  private int complete(byte[] data, int offset, int available) throws InterruptedException {
    int before = held.position();
    int more = Math.min(available, held.remaining());
    held.put(data, offset, more);
    @Nullable Frame frame = conversation.head(direction, held.duplicate().flip());
    if (frame == null) {
      return more;
    }
    begin(frame);
    int known = (int) Math.min(left, held.position());
    pass(held.array(), 0, known);
    held.clear();
    return known - before;
  }

  private void begin(Frame frame) throws InterruptedException {
    left = frame.length();
    sink.begin(frame);
  }
}
