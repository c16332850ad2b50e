package io.waybill.bench.micro;

import io.waybill.bench.load.Payloads;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What an append costs before its statement goes out: the event, its checks, its parameters. The
 * connection takes them and does nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AppendBenchmark {
  private static final int MANY = 100;

  private final Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
  private final Connection connection = NoDatabase.connection();
  private final byte[] body = Payloads.templates().get(0);

  /** Made by JMH. */
  public AppendBenchmark() {}

  private Event event() {
    return Event.builder("order.placed", "order", "4711")
        .payload(Payload.of(body, Payload.JSON))
        .build();
  }

  /**
   * One event.
   *
   * @throws SQLException never
   */
  @Benchmark
  public void one() throws SQLException {
    outbox.append(connection, event());
  }

  /**
   * A hundred events in one statement, per event.
   *
   * @throws SQLException never
   */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public void many() throws SQLException {
    List<Event> events = new ArrayList<>(MANY);
    for (int i = 0; i < MANY; i++) {
      events.add(event());
    }
    outbox.append(connection, events);
  }
}
