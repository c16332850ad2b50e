package io.waybill.bench.micro;

import io.waybill.encode.Format;
import io.waybill.internal.relay.rules.RelayRules;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** An event's way through the engine: row, message, confirm, settlement. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBenchmark {
  private static final int EVENTS = 20_000;

  private final EngineDriver driver =
      new EngineDriver(RelayRules.ofDefaults(Mappers.of(Format.RAW)));

  /** Made by JMH. */
  public EngineBenchmark() {}

  /**
   * Some settlements.
   *
   * @return events settled
   */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int event() {
    return driver.settle(EVENTS);
  }
}
