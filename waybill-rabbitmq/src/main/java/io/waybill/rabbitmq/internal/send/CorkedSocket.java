package io.waybill.rabbitmq.internal.send;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A plain socket whose output can be held back. The client library flushes after each message;
 * while the cork is in, a flush does nothing, so a burst of messages costs one system call for each
 * 64 KiB.
 */
final class CorkedSocket extends Socket {
  private final CorkedStream stream = new CorkedStream();

  @Override
  public OutputStream getOutputStream() throws IOException {
    stream.attach(super.getOutputStream());
    return stream;
  }

  void cork() {
    stream.cork();
  }

  void uncork() throws IOException {
    stream.uncork();
  }

  private static final class CorkedStream extends OutputStream {
    private final byte[] buffer = new byte[64 * 1024];
    private OutputStream out = OutputStream.nullOutputStream();
    private int used;
    private boolean corked;

    synchronized void attach(OutputStream target) {
      out = target;
    }

    synchronized void cork() {
      corked = true;
    }

    synchronized void uncork() throws IOException {
      corked = false;
      drain();
    }

    @Override
    public synchronized void write(int octet) throws IOException {
      if (used == buffer.length) {
        drain();
      }
      buffer[used++] = (byte) octet;
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > buffer.length - used) {
        drain();
      }
      if (length > buffer.length) {
        out.write(bytes, offset, length);
        return;
      }
      System.arraycopy(bytes, offset, buffer, used, length);
      used += length;
    }

    @Override
    public synchronized void flush() throws IOException {
      if (!corked) {
        drain();
      }
    }

    private void drain() throws IOException {
      int length = used;
      used = 0;
      out.write(buffer, 0, length);
    }
  }
}
