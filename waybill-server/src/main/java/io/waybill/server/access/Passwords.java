package io.waybill.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Hashes of passwords. A person's is hashed slowly, since it can be guessed. A token is random: its
 * hash need not be slow, and programs ask often.
 */
public final class Passwords implements PasswordEncoder {
  private static final String BCRYPT = "{bcrypt}";
  private static final String SHA256 = "{sha256}";
  private static final int TOKEN_BYTES = 32;

  private final PasswordEncoder slow = new BCryptPasswordEncoder();

  /** Creates an encoder. */
  public Passwords() {}

  static boolean isHash(String text) {
    return text.matches("\\{bcrypt}\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}|\\{sha256}[0-9a-f]{64}");
  }

  /**
   * Makes up a password for a program.
   *
   * @return random text
   */
  public static String token() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Hashes a person's password.
   *
   * @param password the password
   * @return its hash
   */
  public static String hash(CharSequence password) {
    return BCRYPT + new BCryptPasswordEncoder().encode(password);
  }

  /**
   * Hashes what {@link #token} made.
   *
   * @param token the password
   * @return its hash
   */
  public static String hashOfToken(CharSequence token) {
    return SHA256 + HexFormat.of().formatHex(sha256(token));
  }

  private static byte[] sha256(CharSequence text) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  @Override
  public @Nullable String encode(@Nullable CharSequence password) {
    return password == null ? null : hash(password);
  }

  @Override
  public boolean matches(@Nullable CharSequence password, @Nullable String hash) {
    if (password == null || hash == null) {
      return false;
    }
    if (hash.startsWith(SHA256)) {
      byte[] wanted = HexFormat.of().parseHex(hash, SHA256.length(), hash.length());
      return MessageDigest.isEqual(sha256(password), wanted);
    }
    return hash.startsWith(BCRYPT) && slow.matches(password, hash.substring(BCRYPT.length()));
  }
}
