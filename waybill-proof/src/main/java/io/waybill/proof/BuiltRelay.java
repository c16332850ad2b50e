package io.waybill.proof;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How tests start Waybill's command line in processes of their own: from the class path of the
 * tests, or from the relay as it is delivered, whose classes a JVM maps from the archive that the
 * system property {@value #PROPERTY} names. Each start then takes about two thirds of the processor
 * time.
 */
public final class BuiltRelay {
  static final String PROPERTY = "proof.relay.archive";

  private static final Path JAR =
      Path.of("..", "waybill-server/target/relay/waybill-server-relay.jar");

  private BuiltRelay() {}

  /**
   * Arguments of a JVM that start a program which has the relay on its class path.
   *
   * @param main the program's class
   * @return its options, class path and class
   */
  public static List<String> start(String main) {
    String classes = System.getProperty("java.class.path");
    String archive = System.getProperty(PROPERTY);
    if (archive == null || Files.notExists(Path.of(archive))) {
      return List.of("-cp", classes, main);
    }
    // What the archive was made with comes first, else the JVM does not use it.
    return List.of(
        "-XX:SharedArchiveFile=" + archive,
        "-Xlog:cds=off",
        "-Xlog:cds+dynamic=off",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:ArchiveRelocationMode=0",
        "-cp",
        JAR.toAbsolutePath().normalize() + ":" + classes,
        main);
  }
}
