package io.waybill.spring;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The order of the starter's packages. */
class ModuleTest {
  private static final String PROPERTIES = "io.waybill.spring.properties";

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.waybill.spring");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.waybill.spring.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void propertiesStandBelowAllOthers() {
    noClasses()
        .that()
        .resideInAPackage(PROPERTIES)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.waybill.spring..").and(not(resideInAPackage(PROPERTIES))))
        .check(classes);
  }

  @Test
  void whatUsersWriteWithKnowsNoSpringBoot() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.waybill.spring.autoconfigure",
            "io.waybill.spring.actuate",
            "io.waybill.spring.internal..",
            PROPERTIES)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework.boot..")
        .check(classes);
  }

  @Test
  void whatUsersNameNamesNothingInternal() {
    DescribedPredicate<JavaClass> internal = resideInAPackage("io.waybill..internal..");
    noCodeUnits()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat(not(internal).and(modifier(JavaModifier.PUBLIC)))
        .should()
        .haveRawReturnType(internal)
        .orShould()
        .haveRawParameterTypes(anyElementThat(internal))
        .check(classes);
  }

  /** An application may have the module of one broker alone. */
  @Test
  void onlyTwoRoomsKnowBrokers() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.waybill.spring.internal.broker", "io.waybill.spring.internal.standalone")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.waybill.kafka..", "io.waybill.rabbitmq..")
        .check(classes);
  }
}
