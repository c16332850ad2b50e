package io.waybill.server.command;

import io.waybill.internal.encode.DeadLetter;
import io.waybill.message.Header;
import io.waybill.spring.internal.consumers.DeadLetterSearch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Dead letters as listings show them. */
final class DeadLetterRows {
  private static final int MOST_PAYLOAD_BYTES = 64 << 10;

  private DeadLetterRows() {}

  static List<Map<String, @Nullable Object>> of(DeadLetterSearch letters, List<DeadLetter> found) {
    return found.stream().map(letter -> row(letters, letter)).toList();
  }

  static Map<String, @Nullable Object> row(DeadLetterSearch letters, DeadLetter letter) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("eventId", letter.eventId());
    row.put("eventType", letter.eventType());
    row.put("key", letter.key());
    row.put("consumer", letter.consumer());
    row.put("failedAt", letter.failedAt());
    row.put("reason", letter.reason());
    row.put("redriven", letters.wasRedriven(letter) ? letter.redriven() + 1 : letter.redriven());
    row.put("place", letter.place());
    row.put("error", letter.error());
    return row;
  }

  static Map<String, @Nullable Object> detail(
      DeadLetterSearch letters, DeadLetter letter, boolean payload) {
    Map<String, @Nullable Object> row = row(letters, letter);
    row.put("source", letter.source());
    DeadLetter.Original original = letter.original();
    row.put("readable", original != null);
    DeadLetter.Missing missing = letter.missing();
    if (missing != null) {
      row.put("bodyBytes", missing.length());
      row.put("bodySha256", missing.sha256());
      row.put("originalPlace", missing.place());
    }
    if (original == null) {
      return row;
    }
    row.put("contentType", original.contentType());
    row.put("headers", original.headers().list().stream().map(DeadLetterRows::header).toList());
    byte[] body = original.body();
    if (payload && body != null) {
      byte[] shown = Arrays.copyOf(body, Math.min(body.length, MOST_PAYLOAD_BYTES));
      row.put("payload", new String(shown, StandardCharsets.UTF_8));
      row.put("payloadBase64", Base64.getEncoder().encodeToString(shown));
    }
    return row;
  }

  private static String header(Header header) {
    return header.name() + ": " + header.value();
  }
}
