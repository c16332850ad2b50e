package io.waybill.it;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What the build promises, read from its own files. */
class BuildTest {
  private static final Path ROOT = Path.of("..");

  // How every module is built; versions of libraries are in the root, or in that of Spring Boot.
  private static final String BUILD = "waybill-build";
  private static final String SPRING = "waybill-spring-parent";
  private static final String STARTER = "waybill-spring-boot-starter";

  // Modules that are published, and which of each other they use outside their tests.
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          entry("waybill-core", Set.of()),
          entry("waybill-jdbc", Set.of("waybill-core")),
          entry("waybill-relay", Set.of("waybill-core")),
          entry("waybill-inbox", Set.of("waybill-core")),
          entry("waybill", Set.of("waybill-jdbc", "waybill-relay", "waybill-inbox")),
          entry("waybill-kafka", Set.of("waybill-core")),
          entry("waybill-rabbitmq", Set.of("waybill-core")),
          entry("waybill-micrometer", Set.of("waybill-core")),
          entry("waybill-opentelemetry", Set.of("waybill-jdbc")),
          entry("waybill-testkit", Set.of("waybill-jdbc", "waybill-inbox")),
          entry(
              STARTER,
              Set.of("waybill", "waybill-kafka", "waybill-rabbitmq", "waybill-micrometer")),
          entry("waybill-kafka-spring-boot-starter", Set.of(STARTER, "waybill-kafka")),
          entry("waybill-rabbitmq-spring-boot-starter", Set.of(STARTER, "waybill-rabbitmq")),
          entry("waybill-spring-modulith", Set.of(STARTER)),
          entry("waybill-spring-cloud-stream", Set.of(STARTER, "waybill-kafka")),
          entry(
              "waybill-server",
              Set.of("waybill", "waybill-console", "waybill-opentelemetry", STARTER)),
          entry("waybill-console", Set.of(STARTER)));
  // Those that nothing published uses.
  private static final Set<String> OUTERMOST =
      Set.of(
          "waybill-proof",
          "waybill-integration-tests",
          "waybill-testkit-tests",
          "waybill-benchmarks");

  @Test
  void theModulesAreThoseOfTheArchitecture() throws Exception {
    Set<String> expected = new TreeSet<>();
    ARROWS.keySet().forEach(module -> expected.add(folder(module)));
    expected.addAll(OUTERMOST);
    expected.addAll(examples());
    expected.addAll(List.of("waybill-bom", BUILD, SPRING));
    List<String> rivals = List.of("waybill-benchmarks/rivals");

    Element root = pom(".");
    Element profile = elements(root, "profile").findFirst().orElseThrow();
    assertThat(texts(profile, "module")).isEqualTo(rivals);
    expected.addAll(rivals);
    assertThat(texts(root, "module")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @TestFactory
  Stream<DynamicTest> aModuleUsesOnlyWhatStandsBelowIt() {
    return ARROWS.entrySet().stream()
        .map(
            arrow ->
                DynamicTest.dynamicTest(
                    arrow.getKey(),
                    () -> assertThat(uses(pom(arrow.getKey()))).isSubsetOf(arrow.getValue())));
  }

  /** The modules of this build that a module uses outside its tests. */
  private static Set<String> uses(Element pom) {
    return elements(pom, "dependency")
        .filter(dependency -> text(dependency, "groupId").equals("io.waybill"))
        .filter(dependency -> !text(dependency, "scope").equals("test"))
        .map(dependency -> text(dependency, "artifactId"))
        .collect(Collectors.toSet());
  }

  /** Of a broker's module, users name the types of one package; the others stand below it. */
  @Test
  void internalPackagesOfABrokerKnowNothingOfWhatUsersName() throws IOException {
    for (String broker : List.of("kafka", "rabbitmq")) {
      Path sources = ROOT.resolve("waybill-" + broker).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        assertThat(files.filter(file -> file.toString().matches(".*/internal/.*[.]java")))
            .isNotEmpty()
            .allSatisfy(
                file ->
                    assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContainPattern("io[.]waybill[.]" + broker + "[.][A-Z]"));
      }
    }
  }

  /** Relays of crash tests die in decorators of {@code waybill-proof}. */
  @Test
  void nothingThatIsShippedKnowsOfThePlacesWhereTestsKillIt() throws IOException {
    for (String module : withSources(ARROWS.keySet())) {
      Path sources = ROOT.resolve(folder(module)).resolve("src/main");
      try (Stream<Path> files = Files.walk(sources)) {
        assertThat(files.filter(file -> file.toString().endsWith(".java")))
            .isNotEmpty()
            .allSatisfy(
                file ->
                    assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContain("io.waybill.proof", "CrashStep"));
      }
    }
  }

  @Test
  void theBomNamesEveryPublishedModule() throws Exception {
    assertThat(uses(pom("waybill-bom"))).isEqualTo(ARROWS.keySet());
  }

  @Test
  void everyPublishedJarHasAModuleNameThatIsItsOwnWithDots() throws Exception {
    assertThat(texts(pom(BUILD), "Automatic-Module-Name")).containsExactly("${module.name}");
    for (String module : ARROWS.keySet()) {
      assertThat(texts(pom(module), "module.name"))
          .as(module)
          .containsExactly("io." + module.replace('-', '.'));
    }
  }

  @Test
  void theLicenceIsApache2() throws Exception {
    assertThat(text(pom(BUILD), "licenses")).contains("Apache-2.0");
    assertThat(Files.readString(ROOT.resolve("LICENSE")))
        .contains("Apache License", "Version 2.0, January 2004");
  }

  @Test
  void everyPackageStandsBelowTheBasePackageAndIsNullMarked() throws IOException {
    List<Path> folders = new ArrayList<>();
    for (String module : withSources(modules())) {
      Path sources = ROOT.resolve(folder(module)).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .map(Path::getParent)
            .distinct()
            .forEach(folders::add);
      }
    }
    assertThat(folders)
        .hasSizeGreaterThan(20)
        .allSatisfy(
            folder -> {
              assertThat(folder.toString()).contains("/io/waybill");
              assertThat(Files.readString(folder.resolve("package-info.java")))
                  .contains("@NullMarked");
            });
  }

  /**
   * A library that an example declares for its tests is not on the class path that {@code
   * ./waybill} starts it with, even if {@code waybill-proof} brings it.
   */
  @Test
  void examplesHaveWhatTheirServersWaitWithWhenTheyAreStarted() throws Exception {
    for (String example : examples()) {
      assertThat(elements(pom(example), "dependency"))
          .as(example)
          .filteredOn(dependency -> text(dependency, "artifactId").equals("awaitility"))
          .allMatch(dependency -> text(dependency, "scope").isEmpty());
    }
  }

  private static Set<String> examples() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT.resolve("examples"))) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .map(folder -> "examples/" + folder.getFileName())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Set<String> modules() throws IOException {
    Set<String> modules = new TreeSet<>(ARROWS.keySet());
    modules.addAll(examples());
    modules.add("waybill-benchmarks");
    modules.add("waybill-proof");
    return modules;
  }

  /** Without those that are a list of dependencies alone. */
  private static List<String> withSources(Set<String> modules) {
    return modules.stream()
        .filter(each -> Files.exists(ROOT.resolve(folder(each)).resolve("src")))
        .toList();
  }

  @Test
  void everyPluginIsPinned() throws Exception {
    Set<String> pinned = new TreeSet<>();
    Element management = elements(pom(BUILD), "pluginManagement").findFirst().orElseThrow();
    elements(management, "plugin")
        .forEach(
            plugin -> {
              assertThat(text(plugin, "version"))
                  .as(text(plugin, "artifactId"))
                  .matches("[0-9]+([.][0-9]+)+");
              pinned.add(text(plugin, "artifactId"));
            });
    for (String module : modules()) {
      elements(pom(module), "plugin")
          .forEach(
              plugin -> {
                assertThat(pinned).contains(text(plugin, "artifactId"));
                assertThat(elements(plugin, "version"))
                    .as(text(plugin, "artifactId"))
                    .noneMatch(version -> version.getParentNode().equals(plugin));
              });
    }
    // Plugins that Maven brings in by itself are refused by this rule.
    assertThat(elements(pom(BUILD), "requirePluginVersions")).hasSize(1);
  }

  @Test
  void twoVersionsOfALibraryOnAClassPathEndTheBuild() throws Exception {
    assertThat(elements(pom(BUILD), "dependencyConvergence")).hasSize(1);
  }

  /** An application has the clients of its Spring Boot, so their tests have them. */
  @Test
  void modulesOfSpringBootRunOnTheVersionsThatItManages() throws Exception {
    Set<String> modules = modules();
    modules.add("waybill-integration-tests");
    for (String module : modules) {
      Element pom = pom(module);
      boolean spring = elements(pom, "dependency").anyMatch(BuildTest::isOfSpringBoot);
      Element parent = elements(pom, "parent").findFirst().orElseThrow();
      assertThat(text(parent, "artifactId").equals(SPRING)).as(module).isEqualTo(spring);
    }
    // The first that names a library decides.
    assertThat(texts(pom(SPRING), "dependency").get(0)).contains("spring-boot-dependencies");
  }

  private static boolean isOfSpringBoot(Element dependency) {
    String name = text(dependency, "artifactId");
    return text(dependency, "groupId").equals("org.springframework.boot")
        || name.startsWith("waybill-spring")
        || name.endsWith("spring-boot-starter")
        || name.equals("waybill-server");
  }

  /** Tests and examples start the relay from their own class path. */
  @Test
  void whatStartsTheRelayHasTheVersionsThatItIsDeliveredWith() throws Exception {
    Set<String> modules = modules();
    modules.add("waybill-integration-tests");
    for (String module : modules) {
      List<Element> relay =
          elements(pom(module), "dependency")
              .filter(each -> text(each, "artifactId").equals("waybill-server"))
              // One whose libraries are all excluded only comes first in the build.
              .filter(each -> !each.getTextContent().contains("*"))
              .toList();
      assertThat(relay)
          .as(module)
          .matches(
              all ->
                  all.isEmpty() || all.stream().anyMatch(e -> text(e, "scope").equals("import")));
    }
  }

  @Test
  void warningsAreErrorsAndErrorProneChecksNulls() throws Exception {
    List<String> arguments = texts(pom(BUILD), "arg");
    assertThat(arguments).contains("-Werror").anyMatch(each -> each.startsWith("-Xlint:all"));
    assertThat(arguments)
        .anyMatch(
            each -> each.contains("-Xplugin:ErrorProne") && each.contains("-Xep:NullAway:ERROR"));
    assertThat(texts(pom(BUILD), "showWarnings")).containsExactly("true");
  }

  @Test
  void theFormatIsCheckedByEveryBuild() throws Exception {
    Element plugin =
        elements(pom(BUILD), "plugin")
            .filter(each -> text(each, "artifactId").equals("spotless-maven-plugin"))
            .filter(each -> !text(each, "phase").isEmpty())
            .findFirst()
            .orElseThrow();
    assertThat(texts(plugin, "goal")).containsExactly("check");
    assertThat(elements(plugin, "googleJavaFormat")).hasSize(1);
  }

  @Test
  void outputCarriesNoTimeOfItsBuild() throws Exception {
    assertThat(text(pom(BUILD), "project.build.outputTimestamp")).matches("[0-9T:Z-]+");
    assertThat(Files.readString(ROOT.resolve("verify"))).contains("THE BYTES DIFFER");
  }

  /** That of {@code waybill} has another name, since a script of the root has this one. */
  private static String folder(String module) {
    return module.equals("waybill") ? "waybill-java" : module;
  }

  private static Element pom(String module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(ROOT.resolve(folder(module)).resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  private static Stream<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
  }

  private static List<String> texts(Element parent, String name) {
    return elements(parent, name).map(element -> element.getTextContent().strip()).toList();
  }

  /** Text of the first element of a name, or nothing. */
  private static String text(Element parent, String name) {
    return elements(parent, name).findFirst().map(Element::getTextContent).orElse("").strip();
  }
}
