package io.waybill.server.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards a broker, host names verified.
 *
 * @param caFile PEM certificates to trust, null for the platform's own
 * @param keyStore PKCS#12 store with the client's certificate and key, null for none
 * @param keyStorePassword its password, null without a store
 */
public record TlsConfig(
    @Nullable Path caFile, @Nullable Path keyStore, @Nullable Secret keyStorePassword) {

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
            file(section, "key-store"),
            section.secret("key-store-password"));
    boolean store = section.has("key-store");
    if (store != section.has("key-store-password")) {
      section.problem(
          store ? "key-store-password" : "key-store",
          "must be given: key-store and key-store-password belong together");
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
