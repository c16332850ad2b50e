package io.waybill.spring.internal.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;

/**
 * A secret as it is now. One that stands in a file of a {@code configtree:} is read from the file
 * at each use, since Kubernetes and its like replace the file while the process runs; any other
 * stays as it was bound.
 */
final class SecretSource {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)}");

  private SecretSource() {}

  /**
   * Where the secret of a key comes from.
   *
   * @param bound what was bound for the key
   */
  static Supplier<@Nullable String> of(
      Environment environment, String key, @Nullable String bound) {
    Resource file = file(environment, key);
    return file == null ? () -> bound : () -> read(file, bound);
  }

  private static @Nullable String read(Resource file, @Nullable String bound) {
    try {
      return file.getContentAsString(StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      // The file is being replaced: what it said before is what there is.
      return bound;
    }
  }

  /** The file of the key itself, or of the property that its placeholder names. */
  private static @Nullable Resource file(Environment environment, String key) {
    if (!(environment instanceof ConfigurableEnvironment configurable)) {
      return null;
    }
    ConfigurationPropertyName name = ConfigurationPropertyName.of(key);
    Object value =
        StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false)
            .map(source -> source.getConfigurationProperty(name))
            .filter(property -> property != null)
            .findFirst()
            .map(property -> property.getValue())
            .orElse(null);
    Matcher placeholder = PLACEHOLDER.matcher(String.valueOf(value));
    String property = placeholder.matches() ? placeholder.group(1) : key;
    for (PropertySource<?> source : configurable.getPropertySources()) {
      if (source.containsProperty(property)
          && !source.getName().equals("configurationProperties")) {
        return source instanceof ConfigTreePropertySource tree ? origin(tree, property) : null;
      }
    }
    return null;
  }

  private static @Nullable Resource origin(ConfigTreePropertySource tree, String name) {
    Origin origin = ((OriginLookup<String>) tree).getOrigin(name);
    return origin instanceof TextResourceOrigin text ? text.getResource() : null;
  }
}
