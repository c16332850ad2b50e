package io.waybill.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes one line per copy, from what the message itself says. Not thread-safe. */
final class ReceivedLog implements Closeable {
  private final JsonMapper json = JsonMapper.shared();
  private final Writer out;

  ReceivedLog(Path file) throws IOException {
    out = Files.newBufferedWriter(file);
  }

  void add(String eventId, byte[] body) throws IOException {
    out.write(change(eventId, body).line());
  }

  /** A person may correct an event to anything. */
  private Change change(String eventId, byte[] body) {
    try {
      JsonNode order = json.readTree(body);
      String orderId = order.path("orderId").asString("").replaceAll("\\s", "");
      return new Change(eventId, orderId, order.path("revision").asLong(0));
    } catch (JacksonException e) {
      return new Change(eventId, "", 0);
    }
  }

  void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
