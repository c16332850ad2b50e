package io.waybill.proof.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** Which RabbitMQ a node runs. Immutable. */
public final class RabbitPrograms {
  private static final String SCRIPTS = "/usr/lib/rabbitmq/bin/";
  private static final String PROPERTY = "waybill.rabbitmq";
  private static final String UNPACKED = "unpacked";

  private final @Nullable DebianTree tree;

  private RabbitPrograms(@Nullable DebianTree tree) {
    this.tree = tree;
  }

  /**
   * What the tests of this build run on: the system's package {@code rabbitmq-server}, or where it
   * is not installed {@link UnpackedServer#RABBITMQ_3}; with the system property {@code
   * waybill.rabbitmq} set to {@code unpacked} {@link UnpackedServer#RABBITMQ}.
   *
   * @return programs
   * @throws IllegalStateException when the property has another value
   * @throws org.opentest4j.TestAbortedException when this machine cannot have them
   */
  public static RabbitPrograms tested() {
    String which = System.getProperty(PROPERTY, "");
    if (which.equals(UNPACKED)) {
      UnpackedServer.RABBITMQ.assumeThere();
      return unpacked();
    }
    if (!which.isEmpty()) {
      throw new IllegalStateException(
          "%s must be %s or not set, is '%s'".formatted(PROPERTY, UNPACKED, which));
    }
    if (Files.isExecutable(Path.of(SCRIPTS + "rabbitmq-server"))) {
      return new RabbitPrograms(null);
    }
    UnpackedServer.RABBITMQ_3
        .missing()
        .ifPresent(
            reason ->
                Assumptions.abort(
                    "LEFT OUT: RabbitMQ 3: the package rabbitmq-server is not installed, and to"
                        + " unpack it: "
                        + reason));
    return of(UnpackedServer.RABBITMQ_3);
  }

  /**
   * {@link UnpackedServer#RABBITMQ}.
   *
   * @return programs
   * @throws IllegalStateException when this machine cannot have them; says why
   */
  public static RabbitPrograms unpacked() {
    return of(UnpackedServer.RABBITMQ);
  }

  static RabbitPrograms of(UnpackedServer server) {
    return new RabbitPrograms(server.unpacked());
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
