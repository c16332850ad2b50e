package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every file that asks for some variants of a sealed type and not for all is recorded. A new
 * variant changes those lines, and so does a new question: what it means there is decided then. A
 * {@code switch} over the type's {@code kind()} needs no record, since the compiler asks. The
 * system property {@code dispatch.write} writes the list anew.
 */
class DispatchTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RECORDED = Path.of("src/test/resources/house/partial-dispatch.txt");
  // They test, and so ask for what they expect.
  private static final Set<String> TESTS =
      Set.of("waybill-proof", "waybill-testkit", "waybill-benchmarks");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern ASKED =
      Pattern.compile("instanceof ([\\w.]+)|([\\w.]+)\\.class::isInstance");

  private record Source(String name, String text) {
    /** The names of types that it asks for. */
    Set<String> asked() {
      return ASKED
          .matcher(text)
          .results()
          .map(each -> each.group(1) == null ? each.group(2) : each.group(1))
          .collect(Collectors.toSet());
    }
  }

  private static List<Source> sources() throws IOException {
    List<Source> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        Path sources = module.resolve("src/main/java");
        if (Files.exists(sources) && !TESTS.contains(module.getFileName().toString())) {
          for (Path file : OwnFiles.matching(sources, ".*\\.java")) {
            String name = file.getFileName().toString().replace(".java", "");
            all.add(new Source(name, Files.readString(file)));
          }
        }
      }
    }
    return all;
  }

  /** Sealed types that are no variants of another one. */
  private static List<Class<?>> sealed(List<Source> sources) throws ClassNotFoundException {
    List<Class<?>> found = new ArrayList<>();
    for (Source source : sources) {
      if (source.text.contains("sealed interface ")) {
        MatchResult name = PACKAGE.matcher(source.text).results().findFirst().orElseThrow();
        ClassLoader loader = DispatchTest.class.getClassLoader();
        Class<?> type = Class.forName(name.group(1) + "." + source.name, false, loader);
        Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses()))
            .filter(Class::isSealed)
            .filter(each -> Arrays.stream(each.getInterfaces()).noneMatch(Class::isSealed))
            .forEach(found::add);
      }
    }
    return found;
  }

  /** A type's variants, with the sealed types between. */
  private static Stream<Class<?>> below(Class<?> type) {
    return Arrays.stream(type.getPermittedSubclasses())
        .flatMap(
            each ->
                each.isSealed() ? Stream.concat(Stream.of(each), below(each)) : Stream.of(each));
  }

  private static Set<String> variants(Class<?> type) {
    return type.isSealed()
        ? below(type)
            .filter(each -> !each.isSealed())
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new))
        : Set.of(type.getSimpleName());
  }

  private static Set<String> asked(Source source, Set<String> named, Class<?> type) {
    return below(type)
        .filter(each -> named.stream().anyMatch(name -> isNamed(each, name, source)))
        .flatMap(each -> variants(each).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A variant has the name of its type before it, unless that is imported or stands there. */
  private static boolean isNamed(Class<?> variant, String name, Source source) {
    Class<?> outer = variant.getEnclosingClass();
    String own = variant.getSimpleName();
    if (outer == null) {
      return name.equals(own);
    }
    String whole = outer.getSimpleName() + "." + own;
    boolean isShort =
        outer.getSimpleName().equals(source.name) || source.text.contains(whole + ";");
    return name.equals(whole) || name.endsWith("." + whole) || (isShort && name.equals(own));
  }

  private static String line(Source source, Class<?> type, Set<String> asked) {
    Set<String> all = variants(type);
    Set<String> others = new TreeSet<>(all);
    others.removeAll(asked);
    boolean few = asked.size() <= others.size();
    String names = String.join(" ", few ? asked : others);
    return "%s: %s, %s %s of %d"
        .formatted(source.name, type.getSimpleName(), few ? "only" : "all but", names, all.size());
  }

  @Test
  void aFileThatAsksForSomeVariantsIsRecorded() throws Exception {
    List<Source> sources = sources();
    List<Class<?>> types = sealed(sources);
    assertThat(types).hasSizeGreaterThan(25);
    Set<String> found = new TreeSet<>();
    for (Source source : sources) {
      Set<String> named = source.asked();
      for (Class<?> type : types) {
        Set<String> asked = asked(source, named, type);
        if (!asked.isEmpty() && asked.size() < variants(type).size()) {
          found.add(line(source, type, asked));
        }
      }
    }
    if (Boolean.getBoolean("dispatch.write")) {
      Files.write(RECORDED, found);
    }
    assertThat(String.join("\n", found)).isEqualTo(String.join("\n", Files.readAllLines(RECORDED)));
  }
}
