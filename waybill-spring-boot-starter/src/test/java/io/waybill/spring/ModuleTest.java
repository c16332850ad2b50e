package io.waybill.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The order of the starter's packages. */
class ModuleTest {
  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.waybill.spring");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.waybill.spring.(*)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void onlyTheAutoConfigurationKnowsSpringBootAndBrokers() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.waybill.spring.autoconfigure",
            "io.waybill.spring.actuate",
            "io.waybill.spring.config")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.springframework.boot..", "io.waybill.kafka..", "io.waybill.rabbitmq..")
        .check(classes);
  }
}
