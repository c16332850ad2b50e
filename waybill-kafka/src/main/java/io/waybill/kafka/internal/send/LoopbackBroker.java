package io.waybill.kafka.internal.send;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on the loopback interface that confirms what an idempotent producer sends, and keeps
 * nothing. It has one topic of one partition, and one version of each request, without tagged
 * fields. Requests and responses are those of the Kafka protocol guide ({@code
 * kafka.apache.org/protocol.html}).
 */
final class LoopbackBroker implements AutoCloseable {
  static final String TOPIC = "warm-up";

  private static final Logger LOG = LoggerFactory.getLogger(LoopbackBroker.class);
  private static final int PRODUCE = 0;
  private static final int METADATA = 3;
  private static final int API_VERSIONS = 18;
  private static final int INIT_PRODUCER_ID = 22;
  private static final int UNSUPPORTED_VERSION = 35;
  private static final int NONE = 0;
  private static final int NULL = -1;
  private static final int NODE = 0;

  /** Of a client that is none of ours, on the same machine. */
  private static final int LARGEST_REQUEST = 1 << 20;

  /** A client uses two. */
  private static final int MOST_CONNECTIONS = 8;

  private final ServerSocket server;
  private final List<Socket> connections = new CopyOnWriteArrayList<>();

  /** Listens at once. */
  LoopbackBroker() throws IOException {
    server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /** Its host and port. */
  String address() {
    String host = host();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getLocalPort();
  }

  private String host() {
    return server.getInetAddress().getHostAddress();
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "waybill-kafka-loopback");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      for (int i = 0; i < MOST_CONNECTIONS; i++) {
        Socket connection = server.accept();
        connections.add(connection);
        if (server.isClosed()) {
          connection.close();
        }
        start(() -> serve(connection));
      }
    } catch (IOException closed) {
      LOG.trace("Accepts no more", closed);
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(connection.getInputStream()));
      OutputStream out = connection.getOutputStream();
      while (true) {
        out.write(response(in));
      }
    } catch (IOException closed) {
      LOG.trace("Connection ended", closed);
    }
  }

  private byte[] response(DataInputStream in) throws IOException {
    int length = in.readInt();
    int api = in.readShort();
    int version = in.readShort();
    int correlation = in.readInt();
    int header = 2 * Short.BYTES + Integer.BYTES;
    if (length < header || length > LARGEST_REQUEST) {
      throw new IOException("A request must have 8 bytes to 1 MiB: " + length);
    }
    in.skipNBytes(length - header);
    ByteArrayOutputStream response = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(response);
    out.writeInt(0); // length, known last
    out.writeInt(correlation);
    switch (api) {
      case API_VERSIONS -> apiVersions(out, version);
      case METADATA -> metadata(out);
      case INIT_PRODUCER_ID -> producerId(out);
      case PRODUCE -> confirmation(out);
      default -> throw new IOException("A request that a producer does not make: " + api);
    }
    byte[] bytes = response.toByteArray();
    return ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES).array();
  }

  /** Version 0, which is also the answer to versions that the server does not know. */
  private static void apiVersions(DataOutputStream out, int asked) throws IOException {
    out.writeShort(asked == 0 ? NONE : UNSUPPORTED_VERSION);
    out.writeInt(4);
    only(out, PRODUCE, 8);
    only(out, METADATA, 8);
    only(out, API_VERSIONS, 0);
    only(out, INIT_PRODUCER_ID, 1);
  }

  private static void only(DataOutputStream out, int api, int version) throws IOException {
    out.writeShort(api);
    out.writeShort(version);
    out.writeShort(version);
  }

  /** Version 8. */
  private void metadata(DataOutputStream out) throws IOException {
    out.writeInt(0); // throttle time
    out.writeInt(1); // brokers
    out.writeInt(NODE);
    out.writeUTF(host());
    out.writeInt(server.getLocalPort());
    out.writeShort(NULL); // rack
    out.writeShort(NULL); // cluster id
    out.writeInt(NODE); // controller
    out.writeInt(1); // topics
    out.writeShort(NONE);
    out.writeUTF(TOPIC);
    out.writeBoolean(false); // internal
    out.writeInt(1); // partitions
    out.writeShort(NONE);
    out.writeInt(0); // partition
    out.writeInt(NODE); // leader
    out.writeInt(0); // leader's epoch
    out.writeInt(1); // replicas
    out.writeInt(NODE);
    out.writeInt(1); // replicas in sync
    out.writeInt(NODE);
    out.writeInt(0); // replicas that are offline
    out.writeInt(Integer.MIN_VALUE); // operations on the topic: not asked for
    out.writeInt(Integer.MIN_VALUE); // on the cluster
  }

  /** Version 1. */
  private static void producerId(DataOutputStream out) throws IOException {
    out.writeInt(0); // throttle time
    out.writeShort(NONE);
    out.writeLong(0); // producer's id
    out.writeShort(0); // its epoch
  }

  /** Version 8. */
  private static void confirmation(DataOutputStream out) throws IOException {
    out.writeInt(1); // topics
    out.writeUTF(TOPIC);
    out.writeInt(1); // partitions
    out.writeInt(0); // partition
    out.writeShort(NONE);
    out.writeLong(0); // offset
    out.writeLong(NULL); // time of the append
    out.writeLong(0); // first offset
    out.writeInt(0); // errors of records
    out.writeShort(NULL); // message of the error
    out.writeInt(0); // throttle time
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
