package io.waybill.torture;

import io.waybill.torture.Planned.Content;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Payloads and headers: mostly small JSON, some of a single byte and some of 900 KB, some that
 * databases, encoders and logs like to change. Those that have room carry the canary, which must
 * not appear in any log.
 */
final class Contents {
  private static final String JSON = "application/json";
  private static final int LARGEST = 900_000;
  // JSON that is valid, and what it says must not be normalised.
  private static final List<String> ODD_JSON =
      List.of(
          "{\"a\":1,\"a\":2}",
          "{\"n\":1.10,\"big\":1e400000,\"neg\":-0.0}",
          "{\"nul\":\"\\u0000\"}",
          "{\"emoji\":\"\uD83D\uDE00 caf\u00e9\",\"rtl\":\"\u202e\"}",
          "{\"sql\":\"'; drop table ledger; --\",\"log\":\"${jndi:ldap://x}\\r\\nERROR forged\"}",
          "[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]",
          "  { \"spaces\" : [ 1 , 2 ] }  ",
          "\"\"",
          "0");
  private static final List<byte[]> ODD_BYTES =
      List.of(
          new byte[0],
          "{\"lone\":\"\\ud800\"}".getBytes(StandardCharsets.UTF_8),
          new byte[] {0},
          new byte[] {(byte) 0xc0, (byte) 0xaf, (byte) 0xed, (byte) 0xa0, (byte) 0x80},
          new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '{', '}'},
          "\u001b[31m<script>alert(1)</script>\r\n".getBytes(StandardCharsets.UTF_8));
  private static final List<Map<String, String>> HEADERS =
      List.of(
          Map.of(),
          Map.of("tenant", "north"),
          Map.of("empty", "", "note", "caf\u00e9 \uD83D\uDE00", "sql", "' or 1=1 --"),
          Map.of("A", "1", "a", "2"));

  private final String canary;
  private final boolean jsonOnly;

  /** The document's table takes JSON and no headers. */
  Contents(String canary, boolean jsonOnly) {
    this.canary = canary;
    this.jsonOnly = jsonOnly;
  }

  Content next(SplittableRandom random, int key, long sequence) {
    Map<String, String> headers =
        jsonOnly ? Map.of() : HEADERS.get(random.nextInt(20) < 15 ? 0 : 1 + random.nextInt(3));
    int dice = random.nextInt(1000);
    if (dice < 50) {
      return odd(random, headers);
    }
    if (dice < 60) {
      return new Content(new byte[] {(byte) ('0' + random.nextInt(10))}, JSON, headers);
    }
    if (dice < 65 && !jsonOnly) {
      return new Content(null, "application/octet-stream", headers);
    }
    return json(key, sequence, padding(random, dice), headers);
  }

  private static int padding(SplittableRandom random, int dice) {
    if (dice < 67) {
      return LARGEST - 500 + random.nextInt(400);
    }
    return dice < 90 ? random.nextInt(60_000) : random.nextInt(300);
  }

  private Content odd(SplittableRandom random, Map<String, String> headers) {
    if (jsonOnly || random.nextBoolean()) {
      String text = ODD_JSON.get(random.nextInt(ODD_JSON.size()));
      String written = jsonOnly ? text.strip() : text;
      return new Content(written.getBytes(StandardCharsets.UTF_8), JSON, headers);
    }
    byte[] bytes = ODD_BYTES.get(random.nextInt(ODD_BYTES.size()));
    return new Content(bytes, "application/octet-stream", headers);
  }

  private Content json(int key, long sequence, int padding, Map<String, String> headers) {
    String text =
        """
        {"key":%d,"sequence":%d,"note":"%s","padding":"%s"}"""
            .formatted(key, sequence, canary, "x".repeat(padding));
    return new Content(text.getBytes(StandardCharsets.UTF_8), JSON, headers);
  }
}
