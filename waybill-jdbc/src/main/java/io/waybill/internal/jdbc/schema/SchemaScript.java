package io.waybill.internal.jdbc.schema;

import io.waybill.database.SchemaOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One versioned script in the jar, the same name on every database.
 *
 * @param version its version
 * @param resource name of the resource
 */
public record SchemaScript(int version, String resource) {
  public String sql(SchemaDialect dialect, SchemaOptions options) {
    return text(resource, dialect, options);
  }

  public static String text(String resource, SchemaDialect dialect, SchemaOptions options) {
    String path = "/io/waybill/schema/" + dialect.folder() + "/" + resource;
    try (InputStream stream = SchemaScript.class.getResourceAsStream(path)) {
      Objects.requireNonNull(stream, () -> "The jar has no " + path);
      return filled(new String(stream.readAllBytes(), StandardCharsets.UTF_8), dialect, options);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
  }

  static String filled(String template, SchemaDialect dialect, SchemaOptions options) {
    return dialect
        .fill(template)
        .replace("${schema}", dialect.quote("schema", options.schema()))
        .replace("${lanes}", Integer.toString(options.lanes()));
  }
}
