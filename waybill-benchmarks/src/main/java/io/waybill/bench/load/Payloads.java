package io.waybill.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Order events of 1,024 bytes that compress as real JSON does. The same at every start. */
public final class Payloads {
  /** Size of each payload in bytes. */
  public static final int BYTES = 1024;

  /** How many different ones there are. */
  public static final int COUNT = 1000;

  private static final int SEED = 42;
  private static final List<String> WORDS =
      List.of("amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet");

  private Payloads() {}

  /**
   * All templates, each with the reference of the first event.
   *
   * @return payloads
   */
  public static List<byte[]> templates() {
    Random random = new Random(SEED);
    List<byte[]> all = new ArrayList<>(COUNT);
    for (int i = 0; i < COUNT; i++) {
      all.add(template(random));
    }
    return all;
  }

  private static byte[] template(Random random) {
    StringBuilder json = new StringBuilder(BYTES);
    json.append("{\"ref\":\"")
        .append(Ref.text(0))
        .append("\",\"status\":\"PLACED\",\"customer\":{");
    json.append("\"id\":").append(random.nextInt(1_000_000)).append(",\"name\":\"");
    json.append(word(random)).append(' ').append(word(random)).append("\"},\"lines\":[");
    for (int line = 1; json.length() < BYTES - 150; line++) {
      json.append(line > 1 ? "," : "").append(line(random, line));
    }
    json.append("],\"note\":\"");
    while (json.length() < BYTES - 2) {
      json.append((char) ('a' + random.nextInt(26)));
    }
    return json.append("\"}").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String line(Random random, int line) {
    return String.format(
        Locale.ROOT,
        "{\"line\":%d,\"sku\":\"%08x\",\"title\":\"%s %s\",\"quantity\":%d,\"price\":%d.%02d}",
        line,
        random.nextInt(),
        word(random),
        word(random),
        1 + random.nextInt(9),
        random.nextInt(500),
        random.nextInt(100));
  }

  private static String word(Random random) {
    return WORDS.get(random.nextInt(WORDS.size()));
  }
}
