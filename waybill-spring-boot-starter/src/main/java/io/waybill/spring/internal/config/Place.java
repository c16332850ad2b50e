package io.waybill.spring.internal.config;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.Resource;

/**
 * Where a value came from.
 *
 * @param text for people: file and line, or the name of a variable
 * @param line line of a file, else 0
 */
record Place(String text, int line) {
  static final Place NOWHERE = new Place("", 0);

  static Place variable(String name) {
    return new Place(Printable.of(name), 0);
  }

  /** The place of a value. */
  static Place of(EnumerablePropertySource<?> source, String name, @Nullable YamlCheck check) {
    Origin origin = OriginLookup.getOrigin(source, name);
    if (source instanceof ConfigTreePropertySource
        && origin instanceof TextResourceOrigin text
        && text.getResource() != null) {
      return new Place(Printable.of(path(text.getResource())), 0);
    }
    if (origin instanceof TextResourceOrigin text && text.getLocation() != null) {
      return new Place(text(origin), text.getLocation().getLine() + 1);
    }
    Place key = key(name, check);
    return key == null ? new Place(source(source, name), 0) : key;
  }

  /** The place of a key, of a section too, or null. */
  static @Nullable Place key(String key, @Nullable YamlCheck check) {
    int line = check == null ? 0 : check.line(key);
    return check == null || line == 0 ? null : new Place(check.file() + " line " + line, line);
  }

  private static String source(PropertySource<?> source, String name) {
    return switch (source.getName()) {
      case StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME ->
          "system property " + Printable.of(name);
      case StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME -> Printable.of(name);
      case "commandLineArgs" -> "command line";
      default -> Printable.of(source.getName());
    };
  }

  static String text(Origin given) {
    Origin inner = given instanceof PropertySourceOrigin outer ? outer.getOrigin() : null;
    Origin origin = inner == null ? given : inner;
    if (origin instanceof TextResourceOrigin text
        && text.getResource() != null
        && text.getLocation() != null) {
      String file = text.getResource().getFilename();
      return Printable.of(String.valueOf(file)) + " line " + (text.getLocation().getLine() + 1);
    }
    return Printable.of(origin.toString());
  }

  /** The file that a source was read from, or null. */
  static @Nullable Path file(EnumerablePropertySource<?> source) {
    for (String name : source.getPropertyNames()) {
      if (OriginLookup.getOrigin(source, name) instanceof TextResourceOrigin text
          && text.getResource() != null) {
        String path = path(text.getResource());
        return path.isEmpty() ? null : Path.of(path);
      }
    }
    return null;
  }

  private static String path(Resource resource) {
    try {
      return resource.isFile() ? resource.getFile().getPath() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
