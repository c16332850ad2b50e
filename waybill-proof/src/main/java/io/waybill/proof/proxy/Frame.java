package io.waybill.proof.proxy;

/**
 * One frame of a protocol.
 *
 * @param kind what rules call it
 * @param name the protocol's own name for it, for the history
 * @param length bytes in all, at least 1
 * @param stream channel within the connection, 0 where the protocol has none
 * @param part its place in a unit of several frames, which share one fate
 * @param statement beginning of the SQL statement that it answers, empty if none
 */
record Frame(FrameKind kind, String name, long length, int stream, Part part, String statement) {
  /** Place in a unit of several frames on one stream. */
  enum Part {
    WHOLE,
    FIRST,
    MIDDLE,
    LAST
  }

  static Frame other(String name, long length) {
    return of(FrameKind.OTHER, name, length);
  }

  static Frame of(FrameKind kind, String name, long length) {
    return new Frame(kind, name, length, 0, Part.WHOLE, "");
  }

  Frame as(int newStream, Part newPart) {
    return new Frame(kind, name, length, newStream, newPart, statement);
  }

  Frame answering(String sql) {
    return new Frame(kind, name, length, stream, part, sql);
  }

  /** Whether it begins a unit. */
  boolean begins() {
    return part == Part.WHOLE || part == Part.FIRST;
  }

  /** Whether it ends a unit. */
  boolean ends() {
    return part == Part.WHOLE || part == Part.LAST;
  }
}
