package io.waybill.it.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaEffectOnceTest extends EffectOnceContract {
  private static KafkaServer kafka;
  private static PostgresServer postgres;

  @BeforeAll
  static void launch() {
    kafka = KafkaServer.launch("PLAINTEXT", Map.of("group.min.session.timeout.ms", "1000"));
    postgres = PostgresServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  @Override
  Database database(String name) {
    return onPostgres(postgres, name);
  }

  static Database onPostgres(PostgresServer postgres, String name) {
    postgres.createDatabase(name);
    return new Database() {
      @Override
      public String url() {
        return postgres.jdbcUrl(name);
      }

      @Override
      public DatabaseKind kind() {
        return DatabaseKind.POSTGRESQL;
      }
    };
  }

  @Override
  Source source() {
    return new Source() {
      @Override
      public String kind() {
        return "kafka";
      }

      @Override
      public String address() {
        return kafka.bootstrapServers();
      }

      @Override
      public List<String> create(String name) {
        kafka.createTopic(name, 6, Map.of());
        return List.of(name);
      }

      @Override
      public void publish(String name, List<Copies.Copy> copies) {
        Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
          List<Future<RecordMetadata>> sends = new ArrayList<>();
          for (Copies.Copy copy : copies) {
            ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(name, copy.key().getBytes(UTF_8), "{}".getBytes(UTF_8));
            message.headers().add("waybill-event-id", copy.id().getBytes(UTF_8));
            message.headers().add("waybill-event-type", EffectConsumer.TYPE.getBytes(UTF_8));
            message.headers().add("waybill-aggregate-id", copy.key().getBytes(UTF_8));
            sends.add(producer.send(message));
          }
          for (Future<RecordMetadata> send : sends) {
            send.get();
          }
        } catch (ExecutionException | InterruptedException e) {
          throw new AssertionError("cannot publish", e);
        }
      }
    };
  }
}
