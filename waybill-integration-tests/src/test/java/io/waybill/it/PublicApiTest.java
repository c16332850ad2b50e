package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The signatures of API and SPI are those of a checked-in list, so a review sees each change. The
 * system property {@code api.write} writes the list anew.
 */
class PublicApiTest {
  private static final Path LISTS = Path.of("src/test/resources/api");
  private static final List<String> CORE =
      List.of("waybill-core", "waybill-jdbc", "waybill-relay", "waybill-inbox", "waybill-java");
  // Of the modules of the core: users' types and those of adapters.
  private static final int MOST_TYPES = 157;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "waybill-core",
        "waybill-jdbc",
        "waybill-inbox",
        "waybill-java",
        "waybill-kafka",
        "waybill-rabbitmq",
        "waybill-micrometer",
        "waybill-opentelemetry",
        "waybill-testkit"
      })
  void signaturesAreThoseOfTheList(String module) throws IOException {
    List<String> found = new ArrayList<>(new TreeSet<>(signatures(module)));
    Path list = LISTS.resolve(module + ".txt");
    if (Boolean.getBoolean("api.write")) {
      Files.createDirectories(LISTS);
      Files.write(list, found);
    }
    assertThat(found).isEqualTo(Files.readAllLines(list));
  }

  /** Fewer are recorded; more need a reason. */
  @Test
  void typesDoNotBecomeMore() throws IOException {
    long types = 0;
    for (String module : CORE) {
      types += types(module).stream().filter(type -> !type.isMemberClass()).count();
    }
    assertThat(types).isEqualTo(MOST_TYPES);
  }

  private static List<String> signatures(String module) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : types(module)) {
      lines.add(Modifier.toString(type.getModifiers() & ~Modifier.STATIC) + " " + kind(type));
      members(type)
          .filter(member -> isOpen(member) && !member.isSynthetic())
          .map(member -> type.getName() + " " + text(member))
          .forEach(lines::add);
    }
    return lines;
  }

  /** With those of a superclass that users do not see, but for its constructors. */
  private static Stream<Member> members(Class<?> type) {
    Stream<Member> own =
        Stream.<Member[]>of(
                type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
            .flatMap(Stream::of);
    Class<?> above = type.getSuperclass();
    return above == null || Modifier.isPublic(above.getModifiers())
        ? own
        : Stream.concat(own, members(above).filter(member -> !(member instanceof Constructor)));
  }

  private static String kind(Class<?> type) {
    return (type.isRecord() ? "record " : type.isEnum() ? "enum " : "") + type.getName();
  }

  private static boolean isOpen(Member member) {
    return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  private static String text(Member member) {
    if (member instanceof Field field) {
      return field.getGenericType().getTypeName() + " " + field.getName();
    }
    String parameters =
        Stream.of(((Executable) member).getGenericParameterTypes())
            .map(Type::getTypeName)
            .collect(Collectors.joining(", ", "(", ")"));
    return member instanceof Constructor
        ? "new" + parameters
        : ((Method) member).getGenericReturnType().getTypeName()
            + " "
            + member.getName()
            + parameters;
  }

  /** Public types outside internal packages, and what is open in them. */
  private static List<Class<?>> types(String module) throws IOException {
    Path classes = Path.of("..", module, "target", "classes");
    try (Stream<Path> files = Files.walk(classes)) {
      List<Class<?>> types = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).sorted().toList()) {
        String name = classes.relativize(file).toString().replace(".class", "").replace('/', '.');
        if (!name.contains(".internal.") && !name.endsWith("-info")) {
          Class<?> type = loaded(name);
          if (isOpen(type)) {
            types.add(type);
          }
        }
      }
      return types;
    }
  }

  private static boolean isOpen(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return !type.isAnonymousClass()
        && !type.isLocalClass()
        && (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        && (outer == null || isOpen(outer));
  }

  private static Class<?> loaded(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
