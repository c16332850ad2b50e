package io.waybill.internal.encode;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes one JSON object, with a payload embedded byte for byte. */
final class JsonBody implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();
  // What the fields around a payload take, roughly.
  private static final int FRAME_BYTES = 512;

  private final ByteArrayOutputStream out;
  private final JsonGenerator json;

  private JsonBody(int payloadBytes) {
    out = new ByteArrayOutputStream(payloadBytes + FRAME_BYTES);
    json = JSON.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** The object that the writer fills with members. */
  static byte[] object(int payloadBytes, Consumer<JsonBody> writer) {
    try (JsonBody body = new JsonBody(payloadBytes)) {
      body.json.writeStartObject();
      writer.accept(body);
      body.json.writeEndObject();
      body.json.flush();
      return body.out.toByteArray();
    }
  }

  void text(String name, String value) {
    json.writeName(name);
    json.writeString(value);
  }

  void textIfKnown(String name, @Nullable String value) {
    if (value != null) {
      text(name, value);
    }
  }

  void number(String name, long value) {
    json.writeName(name);
    json.writeNumber(value);
  }

  void none(String name) {
    json.writeName(name);
    json.writeNull();
  }

  void base64(String name, byte[] value) {
    json.writeName(name);
    json.writeBinary(value);
  }

  void object(String name, Runnable members) {
    json.writeName(name);
    json.writeStartObject();
    members.run();
    json.writeEndObject();
  }

  /** Copies a JSON value as it stands; whoever calls has checked that it is one. */
  void embedded(String name, byte[] value) {
    json.writeName(name);
    // An empty raw value writes the colon and tells the generator that the value is there; what it
    // has buffered must be out before the bytes that bypass it.
    json.writeRawValue("");
    json.flush();
    out.writeBytes(value);
  }

  @Override
  public void close() {
    json.close();
  }
}
