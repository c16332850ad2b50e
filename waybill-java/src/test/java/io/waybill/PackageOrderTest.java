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
              Map.entry("internal.text", List.of()),
              Map.entry("internal.work", List.of()),
              Map.entry("message", List.of("internal.text")),
              Map.entry("internal.observe", List.of("message")),
              Map.entry("observe", List.of()),
              Map.entry("broker", List.of("message", "observe")),
              Map.entry("store", List.of("message")),
              Map.entry("internal.store", List.of("internal.text", "message", "store")),
              Map.entry("route", List.of("internal.text", "message", "store")),
              Map.entry("internal.route", List.of("internal.text", "message", "store", "route")),
              Map.entry("encode", List.of()),
              Map.entry(
                  "internal.encode",
                  List.of("internal.text", "message", "broker", "store", "encode")),
              Map.entry("layout", List.of("internal.text", "message")),
              Map.entry("admin", List.of("store")),
              Map.entry("internal.sql", List.of("internal.text", "observe", "internal.store")),
              Map.entry(
                  "database",
                  List.of(
                      "internal.work",
                      "message",
                      "observe",
                      "store",
                      "layout",
                      "admin",
                      "internal.sql")),
              Map.entry(
                  "internal.jdbc.kernel",
                  List.of(
                      "internal.text",
                      "store",
                      "internal.store",
                      "layout",
                      "internal.sql",
                      "database")),
              Map.entry(
                  "internal.jdbc.append",
                  List.of(
                      "internal.text",
                      "message",
                      "internal.store",
                      "layout",
                      "database",
                      "internal.jdbc.kernel")),
              Map.entry(
                  "internal.jdbc.window",
                  List.of("message", "store", "internal.sql", "database", "internal.jdbc.kernel")),
              Map.entry(
                  "internal.jdbc.table",
                  List.of(
                      "internal.work",
                      "message",
                      "internal.observe",
                      "store",
                      "internal.store",
                      "layout",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.append")),
              Map.entry(
                  "internal.jdbc.operator",
                  List.of(
                      "message",
                      "store",
                      "internal.store",
                      "layout",
                      "admin",
                      "internal.sql",
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
                      "internal.work",
                      "message",
                      "observe",
                      "store",
                      "internal.store",
                      "layout",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.schema")),
              Map.entry(
                  "outbox",
                  List.of(
                      "internal.text",
                      "message",
                      "internal.observe",
                      "internal.store",
                      "layout",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.append")),
              Map.entry(
                  "internal.jdbc.outbox",
                  List.of(
                      "internal.work",
                      "observe",
                      "store",
                      "layout",
                      "admin",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.window",
                      "internal.jdbc.table",
                      "internal.jdbc.operator",
                      "internal.jdbc.schema",
                      "outbox")),
              Map.entry(
                  "jdbc",
                  List.of(
                      "internal.work",
                      "observe",
                      "store",
                      "layout",
                      "internal.sql",
                      "database",
                      "internal.jdbc.kernel",
                      "internal.jdbc.schema",
                      "internal.jdbc.inbox",
                      "outbox",
                      "internal.jdbc.outbox")),
              Map.entry("handler", List.of("message", "store", "internal.store")),
              Map.entry("policy", List.of("message", "store", "handler")),
              Map.entry(
                  "internal.relay",
                  List.of(
                      "message",
                      "observe",
                      "broker",
                      "store",
                      "internal.store",
                      "internal.encode",
                      "policy")),
              Map.entry(
                  "internal.relay.rules",
                  List.of(
                      "internal.text",
                      "message",
                      "store",
                      "internal.store",
                      "route",
                      "internal.route",
                      "encode",
                      "internal.encode",
                      "policy")),
              Map.entry(
                  "internal.relay.shell",
                  List.of(
                      "internal.work",
                      "message",
                      "internal.observe",
                      "observe",
                      "broker",
                      "store",
                      "internal.store",
                      "policy",
                      "internal.relay",
                      "internal.relay.rules")),
              Map.entry(
                  "internal.inbox.attempt",
                  List.of(
                      "internal.work",
                      "message",
                      "internal.observe",
                      "broker",
                      "store",
                      "internal.store",
                      "handler")),
              Map.entry(
                  "internal.inbox",
                  List.of(
                      "internal.text",
                      "message",
                      "observe",
                      "broker",
                      "store",
                      "internal.encode",
                      "handler",
                      "policy",
                      "internal.inbox.attempt")),
              Map.entry(
                  "internal.inbox.shell",
                  List.of(
                      "internal.work",
                      "message",
                      "internal.observe",
                      "observe",
                      "broker",
                      "store",
                      "internal.store",
                      "internal.encode",
                      "policy",
                      "internal.inbox.attempt",
                      "internal.inbox")),
              Map.entry(
                  "inbox",
                  List.of(
                      "message",
                      "observe",
                      "broker",
                      "store",
                      "internal.encode",
                      "handler",
                      "policy",
                      "internal.inbox.attempt",
                      "internal.inbox",
                      "internal.inbox.shell")),
              Map.entry(
                  "internal.start",
                  List.of(
                      "internal.work",
                      "observe",
                      "broker",
                      "store",
                      "internal.store",
                      "database",
                      "outbox",
                      "admin",
                      "internal.jdbc.operator",
                      "internal.jdbc.outbox",
                      "jdbc",
                      "policy",
                      "internal.relay.rules",
                      "internal.relay.shell"))));

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
            "io.waybill.observe",
            "io.waybill.broker",
            "io.waybill.route",
            "io.waybill.encode",
            "io.waybill.internal.text",
            "io.waybill.internal.work",
            "io.waybill.internal.observe",
            "io.waybill.internal.route",
            "io.waybill.internal.encode",
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
        .resideOutsideOfPackage("io.waybill.internal.jdbc..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.postgresql..")
        .check(core);
  }

  @Test
  void onlyWorkSuppliesTimeAndWaits() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.waybill.internal.work..")
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
        .resideOutsideOfPackage("io.waybill.internal.work..")
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
