package io.waybill.proof.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds messages of the protocols. */
final class Bytes {
  private Bytes() {}

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] of(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  static byte[] postgresStartup(int code, String rest) {
    return join(number(8 + text(rest).length), number(code), text(rest));
  }

  static byte[] postgres(char type, String body) {
    return join(of(type), number(4 + text(body).length), text(body));
  }

  static byte[] mysql(int sequence, byte[] payload) {
    int size = payload.length;
    return join(of(size, size >> 8, size >> 16, sequence), payload);
  }

  static byte[] mysqlCommand(int command, String text) {
    return mysql(0, join(of(command), text(text)));
  }

  /** An OK packet: rows changed, no generated key, status, no warnings. */
  static byte[] mysqlOk(int sequence, int rows, int status) {
    return mysql(sequence, of(0, rows, 0, status, status >> 8, 0, 0));
  }

  static byte[] amqp(int type, int channel, byte[] payload) {
    return join(of(type, channel >> 8, channel), number(payload.length), payload, of(0xCE));
  }

  static byte[] amqpMethod(int channel, int group, int method, String rest) {
    return amqp(1, channel, join(of(group >> 8, group, method >> 8, method), text(rest)));
  }

  /** A content header: class, weight, size of the body, properties. */
  static byte[] amqpHeader(int channel, int bodySize) {
    return amqp(2, channel, join(of(0, 60, 0, 0, 0, 0, 0, 0), number(bodySize), of(0, 0)));
  }

  static byte[] kafkaRequest(int api, int correlation, String rest) {
    byte[] head = join(of(api >> 8, api, 0, 9), number(correlation), text(rest));
    return join(number(head.length), head);
  }

  static byte[] kafkaResponse(int correlation, String rest) {
    return join(number(4 + text(rest).length), number(correlation), text(rest));
  }
}
