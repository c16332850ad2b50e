package io.waybill.examples.polyshop;

import io.waybill.proof.server.InstalledProgram;
import io.waybill.proof.server.UnpackedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Node.js and Python, and where the services in them are. */
final class Tools {
  private Tools() {}

  /**
   * What a program printed, and how it ended.
   *
   * @param code exit code
   * @param output both its streams
   */
  record Ended(int code, String output) {}

  /** The folder of this example, from where its classes are. */
  static Path folder() {
    try {
      Path classes =
          Path.of(Tools.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolve("../..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The inbox of a language, a package of this repository. */
  static Path client(String language) {
    return folder().resolve("../../clients").resolve(language).normalize();
  }

  /** Lets programs in Python find the inbox's package by its path. */
  static Map<String, String> pythonEnvironment() {
    return Map.of(
        "PYTHONPATH", client("python").resolve("src").toString(), "PYTHONDONTWRITEBYTECODE", "1");
  }

  /** The standalone relay, as {@code ./waybill relay --config relay.yaml} starts it. */
  static List<String> relay() {
    Path jar = folder().resolve("../../waybill-server/target/relay/waybill-server-relay.jar");
    return List.of(
        "-jar",
        jar.normalize().toString(),
        "relay",
        "--config",
        folder().resolve("relay.yaml").toString());
  }

  static Path paymentService() {
    return folder().resolve("payment-service");
  }

  static Path notificationService() {
    return folder().resolve("notification-service");
  }

  /**
   * Node.js: what is installed, or else what can be unpacked.
   *
   * @throws MissingToolException naming the package
   */
  static String node() {
    return required("node", "nodejs");
  }

  /**
   * The package manager of Node.js: what is installed, or else what can be unpacked.
   *
   * @throws MissingToolException naming the package
   */
  static String npm() {
    return required("npm", "npm");
  }

  /**
   * A Python that has psycopg, SQLAlchemy with psycopg2, and Confluent's client for Kafka: what is
   * installed, or else what can be unpacked.
   *
   * @throws MissingToolException naming the package
   */
  static String python() {
    return InstalledProgram.pythonWith("psycopg", "psycopg2", "sqlalchemy", "confluent_kafka")
        .orElseGet(
            () ->
                unpacked(
                    UnpackedServer.PYTHON,
                    "python3",
                    "Python with psycopg 3, psycopg2, SQLAlchemy and confluent_kafka",
                    "packages python3-psycopg, python3-psycopg2, python3-sqlalchemy and"
                        + " python3-confluent-kafka"));
  }

  /** The program itself, if it is installed. */
  static String required(String program, String installed) {
    return InstalledProgram.answers(List.of(program, "--version"))
        ? program
        : unpacked(UnpackedServer.NODE, program, program, "package " + installed);
  }

  private static String unpacked(
      UnpackedServer languages, String program, String what, String packages) {
    if (languages.missing().isPresent()) {
      throw new MissingToolException(
          "needs %s and found none: install the %s (it cannot be unpacked: %s)"
              .formatted(what, packages, languages.missing().get()));
    }
    String starter = languages.starter(program).toString();
    if (!InstalledProgram.answers(List.of(starter, "--version"))) {
      throw new MissingToolException(
          "needs %s and found none: install the %s".formatted(what, packages));
    }
    return starter;
  }

  /** Installs the libraries of the payment service, if they are not those of its lock file. */
  static void installLibraries() throws InterruptedException {
    installLibraries(paymentService());
  }

  /** Installs the libraries of a package of npm, if they are not those of its lock file. */
  static void installLibraries(Path folder) throws InterruptedException {
    if (InstalledProgram.answers(List.of(npm(), "ls", "--prefix", folder.toString()))) {
      return;
    }
    Ended install = run(folder, Map.of(), List.of(npm(), "ci"));
    if (install.code() != 0) {
      throw new IllegalStateException("npm ci failed: " + install.output());
    }
  }

  /** Runs a program to its end. */
  static Ended run(Path folder, Map<String, String> environment, List<String> command)
      throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command.get(0), e);
    }
  }
}
