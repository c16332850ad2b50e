package io.waybill.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which RabbitMQ a node runs. Immutable. */
public final class RabbitPrograms {
  private static final String SCRIPTS = "/usr/lib/rabbitmq/bin/";
  private static final String PROPERTY = "waybill.rabbitmq";
  private static final String INSTALLED = "installed";
  private static final String UNPACKED = "unpacked";

  private final @Nullable DebianTree tree;

  private RabbitPrograms(@Nullable DebianTree tree) {
    this.tree = tree;
  }

  /**
   * The system's package.
   *
   * @return programs
   * @throws IllegalStateException when the package {@code rabbitmq-server} is not installed
   */
  public static RabbitPrograms installed() {
    Path server = Path.of(SCRIPTS + "rabbitmq-server");
    if (!Files.isExecutable(server)) {
      throw new IllegalStateException(
          "RabbitMQ is not installed: install the package rabbitmq-server"
              + " (apt-get install rabbitmq-server); looked for "
              + server);
    }
    return new RabbitPrograms(null);
  }

  /**
   * What the tests of this build run on: the system's package, or with the system property {@code
   * waybill.rabbitmq} set to {@code unpacked} {@link UnpackedServer#RABBITMQ}.
   *
   * @return programs
   * @throws IllegalStateException when the package {@code rabbitmq-server} is not installed, or the
   *     property has another value
   * @throws org.opentest4j.TestAbortedException when this machine cannot have the unpacked ones
   */
  public static RabbitPrograms tested() {
    String which = System.getProperty(PROPERTY, INSTALLED);
    if (which.equals(INSTALLED)) {
      return installed();
    }
    if (!which.equals(UNPACKED)) {
      throw new IllegalStateException(
          "%s must be %s or %s, is '%s'".formatted(PROPERTY, INSTALLED, UNPACKED, which));
    }
    UnpackedServer.RABBITMQ.assumeThere();
    return unpacked();
  }

  /**
   * {@link UnpackedServer#RABBITMQ}.
   *
   * @return programs
   * @throws IllegalStateException when this machine cannot have them; says why
   */
  public static RabbitPrograms unpacked() {
    return new RabbitPrograms(UnpackedServer.RABBITMQ.unpacked());
  }

  List<String> portMapper() {
    return tree == null ? List.of("epmd") : tree.command("/usr/bin/epmd", List.of());
  }

  List<String> script(String name, List<String> arguments) {
    if (tree != null) {
      return tree.command(SCRIPTS + name, arguments);
    }
    List<String> command = new ArrayList<>(List.of(SCRIPTS + name));
    command.addAll(arguments);
    return command;
  }
}
