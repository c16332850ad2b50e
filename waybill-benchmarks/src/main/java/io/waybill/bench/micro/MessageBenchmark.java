package io.waybill.bench.micro;

import io.waybill.encode.Format;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.relay.rules.RoutedMapper;
import io.waybill.internal.route.Routes;
import io.waybill.internal.route.Routing;
import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From a row of 1 KB to its route and its message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageBenchmark {
  private final RoutedMapper raw = Mappers.of(Format.RAW);
  private final RoutedMapper envelope = Mappers.of(Format.ENVELOPE);
  private final Routes routes = Mappers.routes();
  private final OutboxRow row = new Rows().next();
  private long sendId;

  /** Made by JMH. */
  public MessageBenchmark() {}

  /**
   * The payload as it is, with headers.
   *
   * @return the message
   */
  @Benchmark
  public Mapped raw() {
    return raw.map(row, ++sendId);
  }

  /**
   * The payload within an envelope.
   *
   * @return the message
   */
  @Benchmark
  public Mapped envelope() {
    return envelope.map(row, ++sendId);
  }

  /**
   * The route of a type among twenty others.
   *
   * @return the route
   */
  @Benchmark
  public Routing route() {
    return routes.route(row, Headers.NONE);
  }
}
