package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.RabbitPrograms;
import io.waybill.proof.server.RabbitServer;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.testkit.SubscriberRecorder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A quorum queue whose leader moves from node to node while it is read. */
@Tag("server")
@Tag("long")
class RabbitLeaderTest {
  private static final int STEP = 200;
  private static final String MOVE =
      """
      {ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"%s">>)),
      rabbit_quorum_queue:transfer_leadership(Q, '%s').
      """;

  private static final List<RabbitServer> NODES = new ArrayList<>();

  @BeforeAll
  static void launch() {
    UnpackedServer.RABBITMQ.assumeThere();
    NODES.add(RabbitServer.launch(RabbitPrograms.unpacked(), List.of(), List.of()));
    NODES.add(NODES.get(0).launchMember());
    NODES.add(NODES.get(0).launchMember());
  }

  @AfterAll
  static void close() {
    for (int last = NODES.size() - 1; last >= 0; last--) {
      NODES.get(last).close();
    }
  }

  @Test
  void aLeaderThatMovesLosesNothingAndKeepsTheOrder() {
    RabbitServer first = NODES.get(0);
    String queue = "led";
    RabbitTopology topology = RabbitTopology.builder().singleActiveQueue(queue).build();
    assertThat(new RabbitChecks(Broker.config(first).build(), topology, null).declare()).isEmpty();
    SubscriberRecorder recorder = new SubscriberRecorder();
    List<String> all = IntStream.range(0, 4 * STEP).mapToObj(Integer::toString).toList();
    String address = RabbitContractSource.address(first);
    try (RabbitSubscriber subscriber =
        new RabbitSubscriber(
            RabbitContractSource.config(address, List.of(queue)).prefetch(4 * STEP).build())) {
      subscriber.start(recorder);
      carry(queue, all, 1, recorder);
      for (int node = 1; node <= 2; node++) {
        first.ctl("eval", MOVE.formatted(queue, NODES.get(node).name()));
        carry(queue, all, node + 1, recorder);
      }
      NODES.get(2).kill();
      carry(queue, all, 4, recorder);
      assertThat(recorder.bodies().stream().distinct().toList()).isEqualTo(all);
      Set<String> seen = new HashSet<>();
      assertThat(recorder.deliveries())
          .as("what comes twice is marked")
          .allMatch(each -> seen.add(new String(each.body(), UTF_8)) || each.redelivered());
      subscriber.acknowledge(recorder.deliveries());
      Awaitility.await()
          .until(() -> first.ctl("list_queues", "name", "messages").contains(queue + "\t0"));
    }
  }

  /** Publishes a step, and waits until it has arrived. */
  private static void carry(String queue, List<String> all, int step, SubscriberRecorder recorder) {
    List<String> bodies = all.subList((step - 1) * STEP, step * STEP);
    RabbitContractSource.publish(NODES.get(0), queue, "k", bodies);
    Awaitility.await().until(() -> recorder.bodies().containsAll(bodies));
  }
}
