package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {
  @Test
  void aPortThatWasFoundIsNotFoundAgainThoughNobodyListensThere() {
    int port = FreePort.find();

    assertThat(FreePort.reserve(port)).isFalse();
  }

  @Test
  void aServerMayListenOnAPortThatWasFoundOnEachAddress() throws IOException {
    try (ServerSocket loopback =
            new ServerSocket(FreePort.find(), 1, InetAddress.getLoopbackAddress());
        ServerSocket all = new ServerSocket(FreePort.find())) {
      assertThat(loopback.isBound()).isTrue();
      assertThat(all.isBound()).isTrue();
    }
  }

  @Test
  void aPortOnWhichSomebodyListensIsNotFound() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(FreePort.reserve(socket.getLocalPort())).isFalse();
    }
  }
}
