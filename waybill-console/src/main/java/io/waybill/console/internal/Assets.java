package io.waybill.console.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Styles and scripts: the console's own, and those of libraries that are web jars. */
final class Assets {
  private static final String SCRIPT = "text/javascript";
  private static final String STYLE = "text/css";
  private static final Map<String, Asset> ALL =
      Map.of(
          "console.css", own("console.css", STYLE),
          "console.js", own("console.js", SCRIPT),
          "icon.svg", own("icon.svg", "image/svg+xml"),
          "htmx.js", library("htmx.org", "dist/htmx.min.js", SCRIPT),
          "uplot.js", library("uplot", "dist/uPlot.iife.min.js", SCRIPT),
          "uplot.css", library("uplot", "dist/uPlot.min.css", STYLE));

  /** A file, and what changes with its content. */
  record Asset(String type, byte[] bytes, String version) {}

  private Assets() {}

  static @Nullable Asset of(String name) {
    return ALL.get(name);
  }

  /** Addresses below that of the assets, by name: they change with the content. */
  static Map<String, String> addresses() {
    return ALL.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, each -> each.getKey() + "?" + each.getValue().version()));
  }

  private static Asset own(String name, String type) {
    return asset("/io/waybill/console/internal/" + name, type);
  }

  private static Asset library(String library, String file, String type) {
    Properties facts = new Properties();
    try (InputStream in = open("/META-INF/maven/org.webjars.npm/" + library + "/pom.properties")) {
      facts.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return asset(
        "/META-INF/resources/webjars/%s/%s/%s"
            .formatted(library, facts.getProperty("version"), file),
        type);
  }

  private static Asset asset(String resource, String type) {
    try (InputStream in = open(resource)) {
      byte[] bytes = in.readAllBytes();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Asset(type, bytes, HexFormat.of().formatHex(digest, 0, 8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InputStream open(String resource) {
    return Objects.requireNonNull(Assets.class.getResourceAsStream(resource), resource);
  }
}
