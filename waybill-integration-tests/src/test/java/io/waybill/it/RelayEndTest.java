package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.BuiltRelay;
import io.waybill.server.terminal.ExitCode;
import io.waybill.torture.planted.FailingRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay whose virtual machine is out of memory ends with its process, and says so. */
@Tag("long")
class RelayEndTest extends FaultContract {
  @TempDir private Path folder;

  @Override
  BrokerUnderTest launchBroker() {
    return new RabbitUnderTest();
  }

  @Test
  void anErrorOfTheVirtualMachineEndsTheProcessWithItsExitCode() throws IOException {
    Path failure = folder.resolve("failure");
    List<String> failing = BuiltRelay.start(FailingRelay.class.getName());
    try (World world = world("relay_end")) {
      RelayProcess relay = world.relay(failing, "a", Map.of(FailingRelay.FILE, failure.toString()));
      awaitLanes(world, 1);
      Files.writeString(failure, "error");
      Awaitility.await().atMost(PATIENCE).until(() -> !relay.isAlive());
      assertThat(relay.exitCode()).as(relay.log()).isEqualTo(ExitCode.FAILED);
    }
  }
}
