package io.waybill.spring.internal.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The keys that the jars on the class path describe.
 *
 * @see <a
 *     href="https://docs.spring.io/spring-boot/specification/configuration-metadata/format.html">
 *     Metadata format</a>
 */
final class Metadata {
  private static final String FILE = "META-INF/spring-configuration-metadata.json";

  private final Map<String, Described> properties = new HashMap<>();
  private final Set<String> sections = new HashSet<>();
  private final Map<String, List<String>> words = new HashMap<>();

  /**
   * A key.
   *
   * @param name in its usual form
   * @param type name of its class, with type arguments
   * @param deprecation empty, warning or error
   * @param replacement the key to use in its place, or the empty text
   */
  record Described(String name, String type, String deprecation, String replacement) {}

  private Metadata() {}

  static Metadata of(ClassLoader loader) {
    Metadata metadata = new Metadata();
    JsonFactory json = new JsonFactory();
    try {
      for (URL url : Collections.list(loader.getResources(FILE))) {
        try (InputStream in = url.openStream();
            JsonParser parser = json.createParser(ObjectReadContext.empty(), in.readAllBytes())) {
          metadata.read(parser);
        }
      }
    } catch (IOException | JacksonException e) {
      throw new IllegalStateException("The jars' descriptions of keys cannot be read", e);
    }
    return metadata;
  }

  /** The key of these steps, or null. */
  @Nullable Described find(List<String> steps) {
    return properties.get(String.join(".", steps));
  }

  /** The key that a variable is for, or the empty text. */
  String key(String variable) {
    for (Described each : properties.values()) {
      String name = each.name().replace("-", "").replace('.', '_');
      if (name.equalsIgnoreCase(variable)) {
        return each.name();
      }
    }
    return "";
  }

  /** The words that a key takes besides names of classes; empty if it takes any. */
  List<String> words(List<String> steps) {
    return words.getOrDefault(String.join(".", steps), List.of());
  }

  /** Whether there are keys below these steps. */
  boolean section(List<String> steps) {
    return sections.contains(String.join(".", steps));
  }

  /** The next words below a section. */
  Set<String> below(List<String> steps) {
    Set<String> words = new TreeSet<>();
    for (Described each : properties.values()) {
      String[] parts = each.name().split("\\.");
      if (parts.length > steps.size() && uniform(parts, steps.size()).equals(steps)) {
        words.add(parts[steps.size()]);
      }
    }
    return words;
  }

  private static List<String> uniform(String[] parts, int most) {
    return Arrays.stream(parts).limit(most).map(Names::uniform).toList();
  }

  private void read(JsonParser parser) {
    parser.nextToken();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String part = parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_ARRAY && part.equals("properties")) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          property(parser);
        }
      } else if (token == JsonToken.START_ARRAY && part.equals("hints")) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          hint(parser);
        }
      } else {
        parser.skipChildren();
      }
    }
  }

  private void hint(JsonParser parser) {
    List<String> values = new ArrayList<>();
    String name = "";
    boolean any = false;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          Map<String, String> each = new HashMap<>();
          texts(parser, each);
          String provider = each.getOrDefault("name", "");
          String value = each.getOrDefault("value", "");
          any |= provider.equals("any") || (provider.isEmpty() && value.isEmpty());
          values.add(value);
        }
      } else {
        name = parser.getString();
      }
    }
    values.removeIf(String::isEmpty);
    if (!any) {
      words.put(uniform(name), values);
    }
  }

  private static String uniform(String name) {
    return Arrays.stream(name.split("\\.")).map(Names::uniform).collect(Collectors.joining("."));
  }

  private void property(JsonParser parser) {
    Map<String, String> found = new HashMap<>();
    texts(parser, found);
    String name = found.getOrDefault("name", "");
    boolean deprecated = found.containsKey("deprecation");
    Described described =
        new Described(
            name,
            found.getOrDefault("type", ""),
            deprecated ? found.getOrDefault("level", "warning") : "",
            found.getOrDefault("replacement", ""));
    String key = uniform(name);
    properties.merge(key, described, Metadata::better);
    for (int end = key.lastIndexOf('.'); end > 0; end = key.lastIndexOf('.', end - 1)) {
      if (!sections.add(key.substring(0, end))) {
        break;
      }
    }
  }

  private static Described better(Described one, Described other) {
    return one.deprecation().isEmpty() ? one : other;
  }

  /** The texts of an object, and of objects in it. */
  private static void texts(JsonParser parser, Map<String, String> found) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT) {
        found.put(name, "");
        texts(parser, found);
      } else if (token == JsonToken.START_ARRAY) {
        parser.skipChildren();
      } else if (token == JsonToken.VALUE_STRING) {
        found.putIfAbsent(name, parser.getString());
      }
    }
  }
}
