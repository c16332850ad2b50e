package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names, ports and files of one private RabbitMQ node.
 *
 * @param home directory of everything the node writes
 * @param name Erlang node name
 * @param port AMQP port
 * @param managementPort port of the management API, used only with its plugin
 * @param distributionPort port of the Erlang distribution
 * @param epmdPort port of the private Erlang port mapper
 */
record RabbitNode(
    Path home, String name, int port, int managementPort, int distributionPort, int epmdPort) {
  private static final String COOKIE = ".erlang.cookie";

  static RabbitNode in(Path home) {
    int port = FreePort.find();
    String name = "waybill" + port + "@localhost";
    return new RabbitNode(home, name, port, FreePort.find(), FreePort.find(), FreePort.find());
  }

  /** With the port mapper and the cookie of another one, which has started, so that it can join. */
  static RabbitNode beside(RabbitNode other, Path home) {
    RabbitNode own = in(home);
    try {
      Files.copy(
          other.home.resolve(COOKIE), home.resolve(COOKIE), StandardCopyOption.COPY_ATTRIBUTES);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy the cookie of " + other.name, e);
    }
    return new RabbitNode(
        home, own.name, own.port, own.managementPort, own.distributionPort, other.epmdPort);
  }

  void writeFiles(List<String> plugins, List<String> settings) {
    String configuration =
        """
        loopback_users.guest = true
        disk_free_limit.absolute = 50MB
        vm_memory_high_watermark.absolute = 1GB
        management.tcp.ip = 127.0.0.1
        management.tcp.port = %d
        %s
        """
            .formatted(managementPort, String.join("\n", settings));
    if (!plugins.contains("rabbitmq_management")) {
      configuration = configuration.replaceAll("(?m)^management\\..*\\n", "");
    }
    try {
      Files.createDirectories(home.resolve("schema"));
      Files.writeString(home.resolve("rabbitmq.conf"), configuration);
      Files.writeString(home.resolve("env.conf"), "");
      Files.writeString(home.resolve("enabled_plugins"), "[" + String.join(",", plugins) + "].\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the configuration of " + name, e);
    }
  }

  Map<String, String> environment() {
    Map<String, String> env = new HashMap<>();
    env.put("HOME", home.toString());
    env.put("RABBITMQ_NODENAME", name);
    env.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
    env.put("RABBITMQ_NODE_PORT", Integer.toString(port));
    env.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    env.put("RABBITMQ_CTL_DIST_PORT_MIN", "0");
    env.put("RABBITMQ_CTL_DIST_PORT_MAX", "0");
    env.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
    env.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    env.put("RABBITMQ_MNESIA_BASE", home.resolve("data").toString());
    env.put("RABBITMQ_LOG_BASE", home.resolve("log").toString());
    env.put("RABBITMQ_CONF_ENV_FILE", home.resolve("env.conf").toString());
    env.put("RABBITMQ_CONFIG_FILE", home.resolve("rabbitmq.conf").toString());
    env.put("RABBITMQ_ADVANCED_CONFIG_FILE", home.resolve("advanced.config").toString());
    env.put("RABBITMQ_ENABLED_PLUGINS_FILE", home.resolve("enabled_plugins").toString());
    env.put("RABBITMQ_SCHEMA_DIR", home.resolve("schema").toString());
    env.put("RABBITMQ_PID_FILE", home.resolve("rabbitmq.server.pid").toString());
    env.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
    // Makes the script replace itself by the Erlang machine, so that the pid is the broker's own.
    env.put("RABBITMQ_ALLOW_INPUT", "true");
    return env;
  }
}
