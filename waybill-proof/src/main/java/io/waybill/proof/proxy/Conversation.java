package io.waybill.proof.proxy;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Tells the frames of one connection apart. Thread-safe: its two directions have threads each. */
interface Conversation {
  /** Most bytes that {@link #head} looks at. */
  int LOOK = 2_048;

  /**
   * Names the frame that begins at the buffer's position. Reads with absolute positions only.
   *
   * @param direction where the bytes go
   * @param bytes at least one byte
   * @return the frame, or null, without any change of state, if more bytes are needed; they are
   *     always fewer than the frame has, and with {@link #LOOK} bytes there is an answer
   */
  @Nullable Frame head(Direction direction, ByteBuffer bytes);
}
