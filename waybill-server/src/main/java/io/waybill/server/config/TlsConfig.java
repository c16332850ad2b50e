package io.waybill.server.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards a broker, host names verified. Files are PEM.
 *
 * @param caFile certificates to trust, null for the platform's own
 * @param certificateFile the client's certificate chain, null for none
 * @param keyFile the client's private key (PKCS#8), null for none
 * @param keyPassword password of the key, null for none
 */
public record TlsConfig(
    @Nullable Path caFile,
    @Nullable Path certificateFile,
    @Nullable Path keyFile,
    @Nullable Secret keyPassword) {

  /** The TLS section, or null if there is none or it is switched off. */
  static @Nullable TlsConfig read(Section parent) {
    if (!parent.has("tls")) {
      return null;
    }
    Section section = parent.section("tls");
    boolean enabled = section.flag("enabled", true);
    TlsConfig config =
        new TlsConfig(
            file(section, "ca-file"),
            file(section, "certificate-file"),
            file(section, "key-file"),
            section.secret("key-password"));
    if ((config.certificateFile == null) != (config.keyFile == null)) {
      section.problem(
          config.keyFile == null ? "key-file" : "certificate-file",
          "must be given: certificate-file and key-file belong together");
    }
    section.done();
    return enabled ? config : null;
  }

  private static @Nullable Path file(Section section, String key) {
    Optional<String> name = section.text(key);
    if (name.isEmpty()) {
      return null;
    }
    try {
      Path path = Path.of(name.get());
      if (!Files.isReadable(path)) {
        section.problem(key, "must name a readable file");
      }
      return path;
    } catch (InvalidPathException e) {
      section.problem(key, "must be a file name");
      return null;
    }
  }
}
