package io.waybill;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The order of the core's packages, as the architecture has it. */
class PackageOrderTest {
  private static final String BASE = "io.waybill.";
  private static final String INTERNAL = "io.waybill.internal.";
  private static final int MOST_TYPES = 40;
  private static final int VISIBLE = Modifier.PUBLIC | Modifier.PROTECTED;

  // What a package may import of the core, besides itself.
  private static final Map<String, List<String>> ARROWS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("message", List.of()),
              Map.entry("work", List.of()),
              Map.entry("observe", List.of("message")),
              Map.entry("broker", List.of("message", "observe")),
              Map.entry("store", List.of("message")),
              Map.entry("route", List.of("message", "store")),
              Map.entry("encode", List.of("message", "broker", "store")),
              Map.entry("layout", List.of("message")),
              Map.entry("internal.sql", List.of("layout", "observe", "store")),
              Map.entry("database", List.of("message", "layout", "store", "internal.sql")),
              Map.entry(
                  "internal.jdbc.kernel", List.of("layout", "store", "internal.sql", "database")),
              Map.entry(
                  "internal.jdbc.append",
                  List.of("message", "layout", "database", "internal.jdbc.kernel")),
              Map.entry(
                  "internal.jdbc.window",
                  List.of("message", "store", "internal.sql", "database", "internal.jdbc.kernel")),
              Map.entry(
                  "internal.jdbc.table",
                  List.of(
                      "message",
                      "store",
                      "work",
                      "layout",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.append")),
              Map.entry(
                  "internal.jdbc.operator",
                  List.of(
                      "message",
                      "store",
                      "admin",
                      "layout",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.append",
                      "internal.jdbc.table")),
              Map.entry(
                  "internal.jdbc.schema",
                  List.of(
                      "message",
                      "observe",
                      "layout",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.table")),
              Map.entry(
                  "internal.jdbc.inbox",
                  List.of(
                      "message",
                      "store",
                      "observe",
                      "work",
                      "layout",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.table",
                      "internal.jdbc.schema")),
              Map.entry(
                  "jdbc",
                  List.of(
                      "message",
                      "store",
                      "admin",
                      "observe",
                      "work",
                      "layout",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.append",
                      "internal.jdbc.window",
                      "internal.jdbc.table",
                      "internal.jdbc.operator",
                      "internal.jdbc.schema",
                      "internal.jdbc.inbox")),
              Map.entry("outbox", List.of("message", "store", "database")),
              Map.entry("handler", List.of("message", "store")),
              Map.entry("policy", List.of("message", "store", "handler")),
              Map.entry("relay", List.of("message", "store", "route", "encode", "policy")),
              Map.entry(
                  "internal.relay",
                  List.of("message", "store", "encode", "broker", "observe", "policy")),
              Map.entry(
                  "internal.relay.shell",
                  List.of(
                      "message",
                      "store",
                      "broker",
                      "observe",
                      "work",
                      "policy",
                      "relay",
                      "internal.relay")),
              Map.entry(
                  "internal.inbox.attempt",
                  List.of("message", "store", "broker", "work", "handler")),
              Map.entry(
                  "internal.inbox",
                  List.of(
                      "message",
                      "store",
                      "encode",
                      "broker",
                      "observe",
                      "handler",
                      "policy",
                      "internal.inbox.attempt")),
              Map.entry(
                  "internal.inbox.shell",
                  List.of(
                      "message",
                      "store",
                      "encode",
                      "broker",
                      "observe",
                      "work",
                      "policy",
                      "internal.inbox",
                      "internal.inbox.attempt")),
              Map.entry(
                  "inbox",
                  List.of(
                      "message",
                      "store",
                      "encode",
                      "broker",
                      "observe",
                      "handler",
                      "policy",
                      "internal.inbox",
                      "internal.inbox.attempt",
                      "internal.inbox.shell")),
              Map.entry("admin", List.of("message", "store", "observe"))));

  private static JavaClasses core;

  @BeforeAll
  static void read() {
    core =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.waybill");
  }

  @TestFactory
  Stream<DynamicTest> aPackageImportsOnlyWhatStandsOnItsLine() {
    return ARROWS.entrySet().stream()
        .map(
            arrow ->
                DynamicTest.dynamicTest(
                    arrow.getKey(), () -> onlyImports(arrow.getKey(), arrow.getValue())));
  }

  private static void onlyImports(String name, List<String> allowed) {
    String[] packages =
        Stream.concat(Stream.of(name), allowed.stream()).map(p -> BASE + p).toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(BASE + name)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "stand outside the core or in " + Arrays.toString(packages),
                type ->
                    !type.getPackageName().startsWith("io.waybill")
                        || Arrays.asList(packages).contains(type.getPackageName())))
        .check(core);
  }

  @Test
  void everyPackageHasALine() {
    assertThat(core.stream().map(JavaClass::getPackageName).distinct())
        .allMatch(
            name -> name.equals("io.waybill") || ARROWS.containsKey(name.substring(BASE.length())));
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.waybill.(**)").should().beFreeOfCycles().check(core);
  }

  @Test
  void aPackageIsSmall() {
    Map<String, Long> types =
        core.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .filter(type -> type.getPackageName().matches("io.waybill.(database|jdbc|internal.*)"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    assertThat(types.values()).allMatch(count -> count <= MOST_TYPES);
  }

  @Test
  void whatUsersNameNamesNothingInternal() {
    assertThat(
            core.stream()
                .filter(type -> !type.getPackageName().startsWith(INTERNAL))
                .filter(PackageOrderTest::isVisible)
                .flatMap(PackageOrderTest::signatures)
                .filter(signature -> signature.contains(INTERNAL)))
        .isEmpty();
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().stream().allMatch(PackageOrderTest::isVisible);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  /**
   * What a type shows: its supertypes, and the types in its visible members, with their arguments.
   */
  private static Stream<String> signatures(JavaClass type) {
    Class<?> seen = type.reflect();
    Stream<String> members =
        Stream.<Executable>concat(
                Stream.of(seen.getDeclaredConstructors()), Stream.of(seen.getDeclaredMethods()))
            .filter(member -> !member.isSynthetic())
            .filter(member -> (member.getModifiers() & VISIBLE) != 0)
            .map(Executable::toGenericString);
    Stream<String> fields =
        Stream.of(seen.getDeclaredFields())
            .filter(field -> (field.getModifiers() & VISIBLE) != 0)
            .map(Field::toGenericString);
    Stream<String> parents =
        Stream.concat(
                Stream.ofNullable(seen.getGenericSuperclass()),
                Stream.of(seen.getGenericInterfaces()))
            .map(parent -> seen.getName() + " of " + parent.getTypeName());
    return Stream.of(members, fields, parents).flatMap(all -> all);
  }

  @Test
  void onlyTheDatabaseSideUsesJavaSql() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.waybill.message",
            "io.waybill.layout",
            "io.waybill.policy",
            "io.waybill.work",
            "io.waybill.observe",
            "io.waybill.broker",
            "io.waybill.route",
            "io.waybill.encode",
            "io.waybill.relay",
            "io.waybill.internal.relay..",
            "io.waybill.internal.inbox",
            "io.waybill.admin")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..")
        .check(core);
  }

  @Test
  void onlyTheDialectsKnowADriver() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.waybill.internal.jdbc..", "io.waybill.jdbc..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.postgresql..")
        .check(core);
  }

  @Test
  void onlyWorkSuppliesTimeAndWaits() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.waybill.work..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .check(core);
  }

  @Test
  void onlyIdsAndWorkUseTheSystemClock() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.waybill.work..")
        .and()
        .doNotHaveFullyQualifiedName("io.waybill.message.EventIds")
        .and()
        .doNotHaveFullyQualifiedName("io.waybill.database.RowIds")
        .should()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(Clock.class, "systemDefaultZone")
        .check(core);
  }
}
