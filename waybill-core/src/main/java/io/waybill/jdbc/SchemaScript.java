package io.waybill.jdbc;

import io.waybill.jdbc.dialect.Identifiers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * One versioned script in the jar.
 *
 * @param version its version
 * @param resource name of the resource
 */
record SchemaScript(int version, String resource) {
  private static final String FOLDER = "/io/waybill/schema/postgresql/";

  static final List<SchemaScript> ALL = List.of(new SchemaScript(1, "V1__outbox.sql"));

  String sql(SchemaOptions options) {
    return text(resource, options);
  }

  static String text(String resource, SchemaOptions options) {
    try (InputStream stream = SchemaScript.class.getResourceAsStream(FOLDER + resource)) {
      Objects.requireNonNull(stream, () -> "The jar has no " + FOLDER + resource);
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${schema}", Identifiers.quote("schema", options.schema()))
          .replace("${lanes}", Integer.toString(options.lanes()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + FOLDER + resource, e);
    }
  }
}
