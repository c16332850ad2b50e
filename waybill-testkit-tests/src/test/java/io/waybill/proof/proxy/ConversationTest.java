package io.waybill.proof.proxy;

import static io.waybill.proof.proxy.Direction.TO_CLIENT;
import static io.waybill.proof.proxy.Direction.TO_SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dialogues whose bytes arrive in pieces of every size, and whole. */
class ConversationTest {
  /** Bytes of one side, and the names of the frames that are to be seen in them. */
  private record Said(Direction direction, byte[] bytes, List<String> frames) {}

  private static Said client(byte[] bytes, String... frames) {
    return new Said(TO_SERVER, bytes, List.of(frames));
  }

  private static Said server(byte[] bytes, String... frames) {
    return new Said(TO_CLIENT, bytes, List.of(frames));
  }

  record Dialogue(Protocol protocol, String name, List<Said> said) {
    @Override
    public String toString() {
      return protocol + " " + name;
    }
  }

  static Stream<Dialogue> dialogues() {
    return Stream.of(
        new Dialogue(Protocol.POSTGRESQL, "simple", simplePostgres()),
        new Dialogue(Protocol.POSTGRESQL, "prepared", preparedPostgres()),
        new Dialogue(Protocol.POSTGRESQL, "encrypted", encryptedPostgres()),
        new Dialogue(Protocol.MYSQL, "plain", mysql()),
        new Dialogue(Protocol.MYSQL, "encrypted", encryptedMysql()),
        new Dialogue(Protocol.AMQP, "publisher", amqp()),
        new Dialogue(Protocol.KAFKA, "producer", kafka()),
        new Dialogue(Protocol.PLAIN, "anything", List.of(client(Bytes.text("x"), "OTHER bytes"))));
  }

  private static List<Said> simplePostgres() {
    return List.of(
        client(Bytes.postgresStartup(80877104, ""), "OTHER EncryptionRequest"),
        server(Bytes.text("N"), "OTHER EncryptionRefused"),
        client(Bytes.postgresStartup(80877103, ""), "OTHER EncryptionRequest"),
        server(Bytes.text("N"), "OTHER EncryptionRefused"),
        client(Bytes.postgresStartup(196608, "user\0u\0\0"), "OTHER Startup"),
        server(
            Bytes.join(Bytes.postgres('R', "\0\0\0\0"), Bytes.postgres('Z', "I")),
            "OTHER reply R",
            "OTHER reply Z"),
        client(Bytes.postgres('Q', "begin; select 1; Commit\0"), "OTHER request Q"),
        server(
            Bytes.join(
                Bytes.postgres('C', "BEGIN\0"),
                Bytes.postgres('D', "some row"),
                Bytes.postgres('C', "SELECT 1\0"),
                Bytes.postgres('C', "COMMIT\0"),
                Bytes.postgres('N', "notice"),
                Bytes.postgres('Z', "I")),
            "STATEMENT_REPLY CommandComplete BEGIN",
            "+OTHER reply D",
            "STATEMENT_REPLY CommandComplete SELECT 1",
            "COMMIT_REPLY CommandComplete COMMIT",
            "+OTHER reply N",
            "+OTHER reply Z"),
        client(Bytes.postgres('Q', "insert into t values (1)\0"), "OTHER request Q"),
        server(
            Bytes.join(Bytes.postgres('C', "INSERT 0 1\0"), Bytes.postgres('Z', "I")),
            "AUTOCOMMIT_REPLY CommandComplete INSERT 0 1",
            "+OTHER reply Z"));
  }

  private static List<Said> preparedPostgres() {
    byte[] execute =
        Bytes.join(
            Bytes.postgres('B', "\0s1\0rest"),
            Bytes.postgres('E', "\0\0\0\0\0"),
            Bytes.postgres('S', ""));
    byte[] done =
        Bytes.join(
            Bytes.postgres('2', ""),
            Bytes.postgres('D', "row"),
            Bytes.postgres('C', "SELECT 1\0"),
            Bytes.postgres('Z', "I"));
    String[] requests = {"OTHER request B", "OTHER request E", "OTHER request S"};
    String[] replies = {
      "OTHER reply 2",
      "OTHER reply D",
      "AUTOCOMMIT_REPLY CommandComplete SELECT 1",
      "+OTHER reply Z"
    };
    return List.of(
        client(Bytes.postgresStartup(196608, "user\0u\0\0"), "OTHER Startup"),
        client(
            Bytes.postgres('P', "s1\0with w as (delete from t returning 1) select 1\0rest"),
            "OTHER request P"),
        server(Bytes.postgres('1', ""), "OTHER reply 1"),
        client(execute, requests),
        server(done, replies),
        client(execute, requests),
        server(
            Bytes.join(Bytes.postgres('E', "broken"), Bytes.postgres('Z', "I")),
            "OTHER reply E",
            "OTHER reply Z"),
        client(execute, requests),
        server(done, replies),
        client(Bytes.postgres('P', "\0begin\0rest"), "OTHER request P"),
        client(Bytes.postgres('B', "\0\0rest"), "OTHER request B"),
        client(Bytes.postgres('E', "\0\0\0\0\0"), "OTHER request E"),
        client(execute, requests),
        server(
            Bytes.join(Bytes.postgres('1', ""), Bytes.postgres('2', "")),
            "OTHER reply 1",
            "OTHER reply 2"),
        server(
            Bytes.join(
                Bytes.postgres('C', "BEGIN\0"),
                Bytes.postgres('2', ""),
                Bytes.postgres('C', "SELECT 1\0"),
                Bytes.postgres('Z', "T")),
            "STATEMENT_REPLY CommandComplete BEGIN",
            "+OTHER reply 2",
            "STATEMENT_REPLY CommandComplete SELECT 1",
            "+OTHER reply Z"));
  }

  private static List<Said> encryptedPostgres() {
    return List.of(
        client(Bytes.postgresStartup(80877103, ""), "OTHER EncryptionRequest"),
        server(Bytes.text("S"), "OTHER EncryptionAccepted"),
        client(Bytes.of(0x16, 3, 1, 2, 0, 1), "OTHER bytes"),
        server(Bytes.postgres('C', "COMMIT\0"), "OTHER bytes"));
  }

  private static List<Said> mysql() {
    return List.of(
        server(Bytes.mysql(0, Bytes.text("\n11.4 greeting")), "OTHER greeting"),
        client(Bytes.mysql(1, Bytes.of(0, 0, 0, 0, 1, 2, 3, 4)), "OTHER login"),
        server(Bytes.mysql(2, Bytes.of(0xFE, 1, 2)), "OTHER greeting"),
        client(Bytes.mysql(3, Bytes.text("secret")), "OTHER login"),
        server(Bytes.mysqlOk(4, 0, 2), "OTHER greeting"),
        client(Bytes.mysqlCommand(3, "set autocommit=0"), "OTHER request"),
        server(Bytes.mysqlOk(1, 0, 0), "STATEMENT_REPLY OK"),
        client(Bytes.mysqlCommand(3, "insert into t values (1)"), "OTHER request"),
        server(Bytes.mysqlOk(1, 1, 1), "STATEMENT_REPLY OK"),
        client(Bytes.mysqlCommand(3, "COMMIT"), "OTHER request"),
        server(Bytes.mysqlOk(1, 0, 0), "COMMIT_REPLY OK"),
        client(Bytes.mysqlCommand(0x16, "update t set n = ?"), "OTHER request"),
        client(Bytes.mysql(0, Bytes.of(0x17, 255, 255, 255, 255, 0)), "OTHER request"),
        server(Bytes.mysql(1, Bytes.of(0, 7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)), "OTHER prepared"),
        server(Bytes.mysqlOk(1, 1, 2), "AUTOCOMMIT_REPLY OK"),
        client(Bytes.mysql(0, Bytes.of(0x18, 7, 0, 0, 0, 0, 0, 9)), "OTHER request"),
        client(Bytes.mysql(0, Bytes.of(0x17, 7, 0, 0, 0, 0)), "OTHER request"),
        server(Bytes.mysqlOk(1, 2, 2), "AUTOCOMMIT_REPLY OK"),
        client(Bytes.mysqlCommand(3, "select 1"), "OTHER request"),
        server(
            Bytes.join(
                Bytes.mysql(1, Bytes.of(1)),
                Bytes.mysql(2, Bytes.text("a column")),
                Bytes.mysql(3, Bytes.of(0, 1, 0, 2, 0, 0, 0)),
                Bytes.mysql(4, Bytes.of(0xFE, 0, 0, 2, 0))),
            "OTHER result",
            "OTHER packet",
            "OTHER packet",
            "OTHER packet"),
        client(Bytes.mysqlCommand(3, "commit"), "OTHER request"),
        server(Bytes.mysql(1, Bytes.of(0xFF, 1, 2)), "OTHER ERR"));
  }

  private static List<Said> encryptedMysql() {
    byte[] wish = new byte[32];
    wish[1] = 0x08;
    return List.of(
        server(Bytes.mysql(0, Bytes.text("\n11.4 greeting")), "OTHER greeting"),
        client(Bytes.mysql(1, wish), "OTHER login"),
        client(Bytes.of(0x16, 3, 1), "OTHER bytes"),
        server(Bytes.mysqlOk(1, 1, 2), "OTHER bytes"));
  }

  private static List<Said> amqp() {
    return List.of(
        client(Bytes.join(Bytes.text("AMQP"), Bytes.of(0, 0, 9, 1)), "OTHER protocol header"),
        server(Bytes.amqpMethod(0, 10, 10, "start"), "OTHER method 10.10"),
        client(
            Bytes.join(
                Bytes.amqpMethod(1, 60, 40, "where"),
                Bytes.amqpHeader(1, 4),
                Bytes.amqp(8, 0, Bytes.of()),
                Bytes.amqp(3, 1, Bytes.text("body"))),
            "BASIC_PUBLISH basic.publish",
            "+OTHER content",
            "OTHER heartbeat",
            "+OTHER content"),
        server(
            Bytes.join(
                Bytes.amqpMethod(1, 60, 50, "312"),
                Bytes.amqpHeader(1, 4),
                Bytes.amqp(3, 1, Bytes.text("body")),
                Bytes.amqpMethod(1, 60, 80, "12345678."),
                Bytes.amqpMethod(1, 60, 120, "12345678."),
                Bytes.amqpMethod(2, 60, 60, "tag")),
            "BASIC_RETURN basic.return",
            "+OTHER content",
            "+OTHER content",
            "BASIC_ACK basic.ack",
            "BASIC_NACK basic.nack",
            "OTHER basic.deliver"));
  }

  private static List<Said> kafka() {
    return List.of(
        client(Bytes.kafkaRequest(18, 1, "versions"), "OTHER request of api 18"),
        client(Bytes.kafkaRequest(0, 2, "records"), "PRODUCE_REQUEST request of api 0"),
        server(Bytes.kafkaResponse(1, "versions"), "OTHER response of api 18"),
        server(Bytes.kafkaResponse(2, "stored"), "PRODUCE_RESPONSE response of api 0"),
        client(Bytes.kafkaRequest(8, 3, "offsets"), "OTHER request of api 8"),
        server(Bytes.kafkaResponse(3, ""), "OFFSET_COMMIT_RESPONSE response of api 8"),
        server(Bytes.kafkaResponse(3, "again"), "OTHER response without request"));
  }

  @ParameterizedTest
  @MethodSource("dialogues")
  void framesAreSeenInOnePiece(Dialogue dialogue) throws InterruptedException {
    check(dialogue, Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @MethodSource("dialogues")
  void framesAreTheSameWhereverTheirBytesAreCut(Dialogue dialogue) throws InterruptedException {
    for (int piece = 1; piece < 60; piece++) {
      check(dialogue, piece);
    }
  }

  private static void check(Dialogue dialogue, int piece) throws InterruptedException {
    Conversation conversation = dialogue.protocol().begin();
    Recorder requests = new Recorder();
    Recorder replies = new Recorder();
    Splitter toServer = new Splitter(conversation, TO_SERVER, requests);
    Splitter toClient = new Splitter(conversation, TO_CLIENT, replies);
    for (Said said : dialogue.said()) {
      boolean request = said.direction() == TO_SERVER;
      Recorder recorder = request ? requests : replies;
      recorder.clear();
      byte[] bytes = said.bytes();
      for (int at = 0; at < bytes.length; at += Math.min(piece, bytes.length - at)) {
        int end = at + Math.min(piece, bytes.length - at);
        (request ? toServer : toClient).accept(Arrays.copyOfRange(bytes, at, end), end - at);
      }
      assertThat(recorder.distinct()).as("in pieces of %d", piece).isEqualTo(said.frames());
      assertThat(recorder.bytes.toByteArray()).isEqualTo(bytes);
    }
  }

  @Test
  void aFrameThatNeverBecomesWholePassesWhenTheStreamEnds() throws InterruptedException {
    Recorder recorder = new Recorder();
    Splitter splitter = new Splitter(Protocol.KAFKA.begin(), TO_SERVER, recorder);
    splitter.accept(Bytes.of(0, 0, 1), 3);
    assertThat(recorder.bytes.size()).isZero();
    splitter.finish();
    assertThat(recorder.bytes.toByteArray()).isEqualTo(Bytes.of(0, 0, 1));
  }

  @Test
  void ofALargeFrameOnlyTheBeginningIsKept() throws InterruptedException {
    Recorder recorder = new Recorder();
    Splitter splitter = new Splitter(Protocol.POSTGRESQL.begin(), TO_CLIENT, recorder);
    int size = 50_000_000;
    splitter.accept(Bytes.join(Bytes.of('D'), Bytes.number(size)), 5);
    byte[] chunk = new byte[16_384];
    for (int sent = 4; sent < size; sent += Math.min(chunk.length, size - sent)) {
      splitter.accept(chunk, Math.min(chunk.length, size - sent));
      assertThat(recorder.bytes.size()).isPositive();
      recorder.bytes.reset();
    }
    splitter.accept(Bytes.postgres('C', "COMMIT\0"), 12);
    assertThat(recorder.frames)
        .containsExactly("OTHER reply D", "COMMIT_REPLY CommandComplete COMMIT");
  }

  @Test
  void aReplyKnowsItsStatement() throws InterruptedException {
    Recorder recorder = new Recorder();
    Conversation conversation = Protocol.MYSQL.begin();
    Splitter requests = new Splitter(conversation, TO_SERVER, new Recorder());
    Splitter replies = new Splitter(conversation, TO_CLIENT, recorder);
    byte[] ok = Bytes.mysqlOk(2, 0, 2);
    replies.accept(ok, ok.length);
    byte[] command = Bytes.mysqlCommand(3, "update lane set fence = 1");
    requests.accept(command, command.length);
    byte[] done = Bytes.mysqlOk(1, 1, 2);
    replies.accept(done, done.length);
    assertThat(recorder.last.statement()).isEqualTo("update lane set fence = 1");
  }

  /** Writes down what it is given; pieces without a name of their own count as one. */
  private static final class Recorder implements Splitter.Sink {
    private final List<String> frames = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Frame last = Frame.other("none", 1);

    private void clear() {
      frames.clear();
      bytes.reset();
    }

    private List<String> distinct() {
      List<String> names = new ArrayList<>();
      for (String name : frames) {
        if (names.isEmpty() || !name.equals("OTHER bytes") || !names.contains(name)) {
          names.add(name);
        }
      }
      return names;
    }

    @Override
    public void begin(Frame frame) {
      last = frame;
      frames.add((frame.begins() ? "" : "+") + frame.kind() + " " + frame.name());
    }

    @Override
    public void bytes(byte[] data, int offset, int length) {
      bytes.write(data, offset, length);
    }

    @Override
    public void end() {}
  }
}
