package io.waybill.bench.rival.spring;

import io.waybill.bench.load.Payloads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/** What a library would have written before the relay starts. */
public final class LibraryBacklog {
  private LibraryBacklog() {}

  /**
   * A script in a library's jar.
   *
   * @param library a class of the library
   * @param resource path of the script
   * @return its text
   * @throws IOException when it cannot be read
   */
  public static String schema(Class<?> library, String resource) throws IOException {
    try (InputStream in = library.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("The library has no " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * The payloads of the benchmarks within events, as Jackson writes them by default.
   *
   * @param event the event around a payload
   * @return serialized events
   */
  public static List<byte[]> templates(Function<String, ?> event) {
    JsonMapper mapper = JsonMapper.builder().build();
    return Payloads.templates().stream()
        .map(
            body -> mapper.writeValueAsBytes(event.apply(new String(body, StandardCharsets.UTF_8))))
        .toList();
  }
}
