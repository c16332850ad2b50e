package io.waybill.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the cookie of a browser has: 256 random bits. Only their hash is stored.
 *
 * @param value letters, digits, - and _
 */
record LoginToken(String value) {
  private static final int BYTES = 32;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ALGORITHM = "HmacSHA256";

  static LoginToken random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new LoginToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Nothing if it cannot be one. */
  static Optional<LoginToken> of(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new LoginToken(text)) : Optional.empty();
  }

  /** What it is stored as; it is random, so its hash need not be slow. */
  String hash() {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(value.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** A code over texts, which nobody makes without the token. */
  String code(String... texts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(value.getBytes(UTF_8), ALGORITHM));
      for (String text : texts) {
        byte[] bytes = text.getBytes(UTF_8);
        // With its length, so that the end of one is not the begin of another.
        mac.update((bytes.length + ":").getBytes(UTF_8));
        mac.update(bytes);
      }
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, e);
    }
  }

  static boolean same(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }

  /** Without what it is worth. */
  @Override
  public String toString() {
    return "token";
  }
}
