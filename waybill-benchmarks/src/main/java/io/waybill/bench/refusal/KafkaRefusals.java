package io.waybill.bench.refusal;

import io.waybill.bench.stage.Candidate;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Inflow;
import io.waybill.broker.Broker;
import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.message.Destination;
import io.waybill.proof.server.KafkaServer;
import io.waybill.route.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** One Kafka node with ACLs, for users who come by password. */
final class KafkaRefusals implements RefusalStage {
  private static final int PARTITIONS = 4;
  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";

  private final KafkaServer server =
      KafkaServer.launch(
          "SASL_PLAINTEXT",
          Map.of(
              "sasl.enabled.mechanisms",
              "PLAIN",
              "listener.name.client.plain.sasl.jaas.config",
              LOGIN + "user_relay=\"relay\";",
              "authorizer.class.name",
              "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
              "super.users",
              "User:ANONYMOUS"));

  @Override
  public List<Candidate> kinds() {
    return List.of(Candidate.WITHOUT, Candidate.MISSING_TOPIC, Candidate.NO_PERMISSION);
  }

  @Override
  public Place create(Candidate kind) {
    Topics topics = new Topics(kind);
    for (String topic : List.of(topics.well, topics.sick)) {
      server.createTopic(topic, PARTITIONS, Map.of());
      change(admin -> admin.createAcls(acls(topic)).all().get(20, TimeUnit.SECONDS));
    }
    return topics;
  }

  /** Something to do as an administrator. */
  private interface Work {
    void on(Admin admin) throws ExecutionException, TimeoutException, InterruptedException;
  }

  private void change(Work work) {
    try (Admin admin = server.admin()) {
      work.on(admin);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka refused to change its ACLs", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private static List<AclBinding> acls(String topic) {
    List<AclBinding> all = new ArrayList<>();
    for (AclOperation operation : List.of(AclOperation.WRITE, AclOperation.DESCRIBE)) {
      all.add(
          new AclBinding(
              new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
              new AccessControlEntry("User:relay", "*", operation, AclPermissionType.ALLOW)));
    }
    return all;
  }

  @Override
  public void close() {
    server.close();
  }

  private final class Topics extends Place {
    private Topics(Candidate kind) {
      super(kind);
    }

    @Override
    Broker broker() {
      return KafkaBroker.of(
          KafkaPublisherConfig.builder(server.clientServers())
              .property("security.protocol", "SASL_PLAINTEXT")
              .property("sasl.mechanism", "PLAIN")
              .property("sasl.jaas.config", LOGIN + "username=\"relay\" password=\"relay\";")
              .build());
    }

    @Override
    Route route(boolean healthy) {
      return Route.to(name(healthy)).build();
    }

    @Override
    Destination healthy() {
      return Destination.topic(well);
    }

    @Override
    Inflow inflow(boolean healthy) throws IOException {
      return BrokerKind.KAFKA.inflow(server.bootstrapServers(), name(healthy));
    }

    @Override
    boolean isConsumedMeanwhile() {
      return kind != Candidate.MISSING_TOPIC;
    }

    @Override
    void spoil() {
      switch (kind) {
        case MISSING_TOPIC -> server.deleteTopic(sick);
        case NO_PERMISSION -> {
          List<AclBindingFilter> all = acls(sick).stream().map(AclBinding::toFilter).toList();
          change(admin -> admin.deleteAcls(all).all().get(20, TimeUnit.SECONDS));
        }
        default -> {}
      }
    }

    @Override
    void repair() {
      switch (kind) {
        case MISSING_TOPIC -> server.createTopic(sick, PARTITIONS, Map.of());
        case NO_PERMISSION ->
            change(admin -> admin.createAcls(acls(sick)).all().get(20, TimeUnit.SECONDS));
        default -> {}
      }
    }
  }
}
