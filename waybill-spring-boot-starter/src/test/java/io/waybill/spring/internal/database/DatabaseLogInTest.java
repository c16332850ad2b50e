package io.waybill.spring.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.proof.server.PostgresServer;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Passwords of databases that would go to another machine in plaintext. */
@Tag("server")
class DatabaseLogInTest {
  /** Leads to this machine, which its name does not tell. */
  private static final String OTHER = "0.0.0.0";

  private static final String KEY = "waybill.outboxes.o.database.allow-plaintext-passwords=true";
  private static PostgresServer postgres;

  @BeforeAll
  static void launch() throws Exception {
    postgres =
        PostgresServer.launch(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", TestServers.file("broker.pem"),
                "ssl_key_file", TestServers.file("broker.key")));
    Tables tables = new Tables(postgres.jdbcUrl());
    tables.run("create role open login password 'word'");
    tables.run("create role proving login password 'word'");
    Files.writeString(
        postgres.data().resolve("pg_hba.conf"),
        """
        host all open 127.0.0.1/32 password
        host all proving 127.0.0.1/32 scram-sha-256
        host all postgres 127.0.0.1/32 trust
        """);
    tables.run("select pg_reload_conf()");
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  private static void open(String host, String user, String... keys) throws SQLException {
    String[] all =
        Arrays.copyOf(new String[] {"username", user, "password", "word"}, 4 + keys.length);
    System.arraycopy(keys, 0, all, 4, keys.length);
    String url = "jdbc:postgresql://%s:%d/postgres".formatted(host, postgres.port());
    try (Connection connection = OwnDatabase.open(null, url, all)) {
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  @Test
  void aPostgresThatWantsThePasswordItselfDoesNotGetItUnlessTheKeyAllowsIt() throws Exception {
    String[] plain = {"properties.sslmode", "disable"};
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> open(OTHER, "open", plain))
        .withMessageContainingAll("sslmode=verify-full, or " + KEY);
    assertThatExceptionOfType(SQLException.class)
        .as("TLS that whoever sits between them may refuse")
        .isThrownBy(() -> open(OTHER, "open"))
        .withMessageContaining(KEY);

    open(OTHER, "open", "properties.sslmode", "disable", "allow-plaintext-passwords", "true");
  }

  @Test
  void withTlsOnThisMachineAndForAProofItIsAsEver() throws Exception {
    open(OTHER, "open", "properties.sslmode", "require");
    open("127.0.0.1", "open", "properties.sslmode", "disable");
    open(OTHER, "proving", "properties.sslmode", "disable");
  }

  /** MariaDB's driver sees to it, whatever the key says. */
  @Test
  void aServerThatAsksForThePasswordAsPamDoesNotGetIt() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> askAsPam(listener));
      String url = "jdbc:mariadb://%s:%d/d".formatted(OTHER, listener.getLocalPort());
      String[] keys = {"username", "u", "password", "word", "properties.sslMode", "disable"};
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> OwnDatabase.open(null, url, keys).close())
          .withMessageContaining("dialog");
      assertThat(answer.get(20, TimeUnit.SECONDS)).doesNotContain("word");
    }
  }

  private static String askAsPam(ServerSocket listener) {
    try (Socket socket = listener.accept()) {
      ByteArrayOutputStream hello = new ByteArrayOutputStream();
      hello.write(10);
      text(hello, "11.4.5-MariaDB");
      hello.writeBytes(new byte[] {1, 0, 0, 0});
      text(hello, "12345678");
      // Protocol 4.1, secure connection, plugins.
      hello.writeBytes(new byte[] {0, (byte) 0x82, 45, 2, 0, 8, 0, 21});
      hello.writeBytes(new byte[10]);
      text(hello, "123456789012");
      text(hello, "mysql_native_password");
      packet(socket, 0, hello);
      packet(socket);
      ByteArrayOutputStream change = new ByteArrayOutputStream();
      change.write(0xFE);
      text(change, "dialog");
      change.write(4);
      change.writeBytes("Password: ".getBytes(StandardCharsets.US_ASCII));
      packet(socket, 2, change);
      return packet(socket);
    } catch (IOException e) {
      return "";
    }
  }

  private static void text(ByteArrayOutputStream packet, String text) {
    packet.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    packet.write(0);
  }

  private static void packet(Socket socket, int number, ByteArrayOutputStream content)
      throws IOException {
    byte[] bytes = content.toByteArray();
    byte[] header = {(byte) bytes.length, (byte) (bytes.length >> 8), 0, (byte) number};
    socket.getOutputStream().write(header);
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  private static String packet(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] header = in.readNBytes(4);
    if (header.length < 4) {
      return "";
    }
    int length = (header[0] & 0xFF) | (header[1] & 0xFF) << 8;
    return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
  }
}
