package io.waybill.outbox;

import io.waybill.message.Payload;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Tells payloads of equal ids apart without showing them. */
final class PayloadHash {
  private PayloadHash() {}

  static String of(Payload payload) {
    if (payload.bytes() == null) {
      return "no payload";
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return "payload sha256 " + HexFormat.of().formatHex(digest.digest(payload.bytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
