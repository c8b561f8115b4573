package io.filament.sink;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package may import what; the table is drawn in docs/architecture.md. */
class ArchitectureTest {

  private static final String ROOT = "io.filament.sink";
  private static final String S3 = ROOT + ".s3";
  private static final String INTERNAL = S3 + ".internal.";
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static final List<Stage> TABLE =
      List.of(
          new Stage(
              ROOT, List.of(), List.of(), "a host must be able to read it without knowing S3"),
          new Stage(
              ROOT + ".arrow",
              List.of(ROOT),
              List.of("org.apache.arrow"),
              "it is for hosts that have Arrow, and nothing else may need it"),
          new Stage(
              ROOT + ".micrometer",
              List.of(ROOT),
              List.of("io.micrometer.core.instrument"),
              "it is for hosts that have Micrometer, and nothing else may need it"),
          new Stage(
              INTERNAL + "memory",
              List.of(ROOT),
              List.of(),
              "it counts bytes, whatever they are for"),
          new Stage(
              INTERNAL + "encode",
              List.of(ROOT, INTERNAL + "memory"),
              List.of(
                  "com.fasterxml.jackson.core",
                  "org.apache.parquet",
                  "com.github.luben",
                  "org.xerial"),
              "it knows OutputStream and never S3, so that every format is tested without a store"),
          new Stage(
              INTERNAL + "object",
              List.of(ROOT, INTERNAL + "memory", INTERNAL + "encode", INTERNAL + "store"),
              List.of(),
              "it cuts bytes, whatever they mean and wherever they go"),
          new Stage(
              INTERNAL + "publish",
              List.of(ROOT, INTERNAL + "object", INTERNAL + "store"),
              List.of("com.fasterxml.jackson.core"),
              "it decides what is visible, through the port alone"),
          new Stage(
              INTERNAL + "store",
              List.of(ROOT),
              List.of("software.amazon.awssdk", "org.apache.hc", "javax.crypto"),
              "it is the only door to S3, and the only place that changes with the SDK"),
          new Stage(
              S3,
              List.of(
                  ROOT,
                  INTERNAL + "memory",
                  INTERNAL + "object",
                  INTERNAL + "publish",
                  INTERNAL + "store"),
              List.of(),
              "it steers the stages; a host's S3Client is the one foreign type that it passes on"));

  /** One row of the table. */
  record Stage(String packageName, List<String> ours, List<String> foreign, String reason) {

    private boolean allows(JavaClass target) {
      String name = target.getPackageName();
      boolean ofTheJdk = name.isEmpty() || name.startsWith("java.") || name.startsWith("javax.net");
      if (ofTheJdk || name.equals("org.jspecify.annotations")) {
        return true;
      }
      if (name.equals(packageName) || ours.contains(name)) {
        return true;
      }
      if (name.equals("org.slf4j")) {
        return !packageName.equals(ROOT);
      }
      if (target.getFullName().equals("software.amazon.awssdk.services.s3.S3Client")) {
        return packageName.equals(S3) || packageName.equals(INTERNAL + "store");
      }
      return foreign.stream().anyMatch(prefix -> name.startsWith(prefix));
    }
  }

  static List<Stage> table() {
    return TABLE;
  }

  @ParameterizedTest
  @MethodSource("table")
  void aPackageImportsOnlyWhatTheTableAllows(Stage stage) {
    classes()
        .that()
        .resideInAPackage(stage.packageName)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "the table allows to " + stage.packageName,
                target -> stage.allows(target.getBaseComponentType())))
        .because(stage.reason)
        .check(OURS);
  }

  @Test
  void everyPackageIsInTheTable() {
    List<String> known = new ArrayList<>();
    for (Stage stage : TABLE) {
      known.add(stage.packageName);
    }
    classes()
        .should()
        .resideInAnyPackage(known.toArray(String[]::new))
        .because("a package without a row has no rule")
        .check(OURS);
  }

  @Test
  void nothingIsPutIntoForeignPackages() {
    noClasses()
        .should()
        .resideOutsideOfPackage(ROOT + "..")
        .because("a library's packages are its own")
        .check(new ClassFileImporter().importPaths("target/classes"));
  }
}
