package io.waybill.spring.internal.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.config.ConfigDataEnvironmentUpdateListener;
import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationNotFoundException;
import org.springframework.boot.context.config.ConfigDataNotFoundException;
import org.springframework.boot.context.config.ConfigDataResource;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Where values come from.
 *
 * @param environment all of them, the first wins
 * @param main those that are the configuration's own file, so that no secret may stand there
 * @param files what was seen in files
 * @param file the configuration's own file, or null
 */
record Sources(
    ConfigurableEnvironment environment,
    Set<PropertySource<?>> main,
    CheckedFiles files,
    @Nullable Path file) {
  private static final String LOCATION = "spring.config.location";

  /** Those of an application. */
  static Sources of(ConfigurableEnvironment environment) {
    return new Sources(environment, Set.of(), new CheckedFiles(), null);
  }

  /**
   * A file, what it imports, and variables, without an application.
   *
   * @throws CheckedFiles.RefusedException if anything cannot be read
   */
  static Sources of(Path file, Map<String, String> variables) {
    String name = file.getFileName().toString();
    String location = "file:" + file.toAbsolutePath();
    if (location.contains(";") || location.contains("*")) {
      throw refused("must have a path without ; and *", "");
    }
    if (!name.matches("(?i).*\\.(ya?ml|properties)")) {
      location += "[.yaml]";
    }
    return read(file.toAbsolutePath(), new String[] {location}, variables);
  }

  /**
   * Variables, and what they import.
   *
   * @throws CheckedFiles.RefusedException if anything cannot be read
   */
  static Sources of(Map<String, String> variables) {
    return read(null, new String[0], variables);
  }

  private static Sources read(
      @Nullable Path file, String[] locations, Map<String, String> variables) {
    StandardEnvironment environment = new StandardEnvironment();
    MutablePropertySources all = environment.getPropertySources();
    String system = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    all.replace(system, new SystemEnvironmentPropertySource(system, Map.copyOf(variables)));
    all.addFirst(new MapPropertySource(LOCATION, Map.of(LOCATION, locations)));
    Main main = new Main(List.of(locations));
    CheckedFiles files = new CheckedFiles();
    read(environment, files, main);
    all.remove(LOCATION);
    return new Sources(environment, main.sources, files, file);
  }

  /** What was seen in the file of a source, or null. */
  @Nullable YamlCheck check(EnumerablePropertySource<?> source) {
    Path from = Place.file(source);
    Path given = from == null && main.contains(source) ? file : from;
    return given == null ? null : files.check(given);
  }

  /** The keys of a source, with those of sections that are empty. */
  List<String> keys(EnumerablePropertySource<?> source) {
    Set<String> keys = new LinkedHashSet<>(List.of(source.getPropertyNames()));
    YamlCheck check = check(source);
    if (check != null) {
      keys.addAll(check.empty());
    }
    return List.copyOf(keys);
  }

  /** Sources that people write, with those of secrets; the first wins. */
  List<EnumerablePropertySource<?>> written() {
    List<EnumerablePropertySource<?>> written = new ArrayList<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (!system(source) && source instanceof EnumerablePropertySource<?> enumerable) {
        written.add(enumerable);
      }
    }
    return written;
  }

  /** Whether a source belongs to the process, where others put names as well. */
  static boolean system(PropertySource<?> source) {
    return source instanceof SystemEnvironmentPropertySource
        || source.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
  }

  private static void read(ConfigurableEnvironment environment, CheckedFiles files, Main main) {
    try {
      ConfigDataEnvironmentPostProcessor.applyTo(environment, files, null, List.of(), main);
    } catch (ConfigDataNotFoundException e) {
      Origin origin = Origin.from(e);
      String rule =
          "names "
              + Printable.of(location(e))
              + ", which does not exist: put optional: before it if it may be missing";
      String from = origin == null ? "" : Place.text(origin);
      Problem problem = new Problem("spring.config.import", rule, "", from);
      throw new CheckedFiles.RefusedException(List.of(problem));
    } catch (ConfigDataException e) {
      throw refused("cannot be read: " + Printable.of(String.valueOf(e.getMessage())), "");
    } catch (RuntimeException e) {
      Throwable cause = e;
      while (cause.getCause() != null && !(cause instanceof CheckedFiles.RefusedException)) {
        cause = cause.getCause();
      }
      throw cause instanceof CheckedFiles.RefusedException refused
          ? refused
          : refused("cannot be read: " + Printable.of(String.valueOf(cause.getMessage())), "");
    }
  }

  private static String location(ConfigDataNotFoundException e) {
    ConfigDataLocation location =
        e instanceof ConfigDataResourceNotFoundException resource
            ? resource.getLocation()
            : e instanceof ConfigDataLocationNotFoundException missing
                ? missing.getLocation()
                : null;
    return location == null ? e.getReferenceDescription() : location.getValue();
  }

  private static CheckedFiles.RefusedException refused(String rule, String origin) {
    return new CheckedFiles.RefusedException(List.of(new Problem("", rule, "", origin)));
  }

  private static final class Main implements ConfigDataEnvironmentUpdateListener {
    private final Set<PropertySource<?>> sources = new HashSet<>();
    private final List<String> locations;

    Main(List<String> locations) {
      this.locations = locations;
    }

    @Override
    public void onPropertySourceAdded(
        PropertySource<?> source,
        @Nullable ConfigDataLocation from,
        @Nullable ConfigDataResource resource) {
      if (from != null && locations.contains(from.getValue())) {
        sources.add(source);
      }
    }
  }
}
