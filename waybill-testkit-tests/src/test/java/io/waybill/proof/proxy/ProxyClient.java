package io.waybill.proof.proxy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A client that sends acknowledgements of AMQP, each with a number, and gets them back. */
final class ProxyClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final int HEAD = 11;

  private final Socket socket;
  private final DataInputStream in;

  ProxyClient(Proxy proxy) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new DataInputStream(socket.getInputStream());
  }

  void send(int... numbers) throws IOException {
    for (int number : numbers) {
      raw(ack(number));
    }
  }

  static byte[] ack(int number) {
    return Bytes.amqpMethod(1, 60, 80, Character.toString((char) ('0' + number)));
  }

  void raw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  byte[] read(int count) throws IOException {
    byte[] bytes = new byte[count];
    in.readFully(bytes);
    return bytes;
  }

  /** The number of the next acknowledgement. */
  int next() throws IOException {
    return read(HEAD + 2)[HEAD] - '0';
  }

  /** The next byte, -1 at the end of the stream. */
  int peek() throws IOException {
    return in.read();
  }

  void patience(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  /** Ends with a reset. */
  void abort() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
