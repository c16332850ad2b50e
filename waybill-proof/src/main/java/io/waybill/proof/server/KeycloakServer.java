package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * A real Keycloak for development, with one realm, on a loopback port that stays the same for its
 * life. It ends with {@link #close}, and also when this JVM is killed. Maven fetches it when it is
 * first needed: it is large, and builds do without it. Not thread-safe.
 */
public final class KeycloakServer implements AutoCloseable {
  private static final String TITLE = "Keycloak";
  private static final String VERSION = "26.7.3";
  // It has built itself anew, and wants to be started again.
  private static final int BUILT = 10;
  private static final List<String> OPENED =
      List.of("java.util", "java.util.concurrent", "java.security", "java.lang");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path dir;
  private final ProcessGuard guard;
  private final String realm;
  private final int port = FreePort.find();

  private KeycloakServer(Path dir, String realm) {
    this.dir = dir;
    this.guard = new ProcessGuard(dir);
    this.realm = realm;
  }

  /**
   * Unpacks the program, and starts nothing. Leaves the calling test out where it cannot be had.
   *
   * @param realm name of the realm
   * @param description the realm, as Keycloak imports it
   * @return a server that does not run yet
   */
  public static KeycloakServer unpack(String realm, String description) {
    try {
      KeycloakServer server =
          new KeycloakServer(Files.createTempDirectory("waybill-keycloak-"), realm);
      if (server.ends("maven", fetch(server.dir)) != 0) {
        String said = Files.readString(server.output("maven"));
        server.close();
        ServerReport.leftOut(TITLE, said);
        ServerReport.abort(TITLE, said);
      }
      Path imported = Files.createDirectories(server.home().resolve("data/import"));
      Files.writeString(imported.resolve(realm + ".json"), description);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> fetch(Path target) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "-N",
                "-f",
                Path.of("pom.xml").toAbsolutePath().toString(),
                "dependency:unpack",
                "-Dartifact=org.keycloak:keycloak-quarkus-dist:" + VERSION + ":zip",
                "-DoutputDirectory=" + target,
                // It remembers what it has unpacked, wherever that was.
                "-Dmdep.overWriteReleases=true"));
    // The one of this build.
    String repository = System.getProperty("maven.repo.local");
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    return command;
  }

  private int ends(String name, List<String> command) {
    try {
      return guard.run(name, Map.of(), command).waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts it, and waits until the realm is there, as long as it makes progress. */
  public void start() {
    int built = ends("keycloak-build", command(List.of()));
    if (built != BUILT) {
      throw failed("ended with " + built, "keycloak-build");
    }
    Process process = guard.run("keycloak", Map.of(), command(List.of("-Dkc.config.built=true")));
    StartProgress progress = new StartProgress(dir);
    Awaitility.await("Keycloak, see " + output("keycloak"))
        .atMost(StartProgress.MOST)
        .until(() -> isReady() || !process.isAlive() || progress.isStalled());
    if (!isReady()) {
      throw failed("did not start", "keycloak");
    }
    ServerReport.used(TITLE, VERSION);
  }

  /** With its output, which is removed with everything else. */
  private IllegalStateException failed(String how, String process) {
    try {
      return new IllegalStateException(
          "Keycloak " + how + ": " + Files.readString(output(process)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What its script runs, as one process that the guard knows. */
  private List<String> command(List<String> options) {
    Path home = home();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-Djava.util.concurrent.ForkJoinPool.common.threadFactory="
                    + "io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory",
                "-Dkc.home.dir=" + home,
                "-Djboss.server.config.dir=" + home.resolve("conf")));
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            home.resolve("lib/quarkus-run.jar").toString(),
            "io.quarkus.bootstrap.runner.QuarkusEntryPoint",
            "start-dev",
            "--http-host=127.0.0.1",
            "--http-port=" + port,
            "--import-realm"));
    return command;
  }

  private boolean isReady() {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(issuer() + "/.well-known/openid-configuration"))
              .timeout(Duration.ofSeconds(5))
              .build();
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Path home() {
    return dir.resolve("keycloak-" + VERSION);
  }

  private Path output(String process) {
    return dir.resolve(process + ".out");
  }

  /**
   * The realm, as its tokens name it.
   *
   * @return an address
   */
  public String issuer() {
    return "http://127.0.0.1:" + port + "/realms/" + realm;
  }

  /** Ends it and removes its files. */
  @Override
  public void close() {
    guard.close();
  }
}
