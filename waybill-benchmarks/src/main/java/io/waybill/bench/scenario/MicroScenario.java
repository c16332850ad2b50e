package io.waybill.bench.scenario;

import io.waybill.bench.micro.EngineBenchmark;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Report;
import io.waybill.bench.stage.Options;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Single questions by JMH.
 *
 * @param forks processes for each, one after the other; 0 for this one
 * @param rounds measured iterations
 * @param roundMillis length of each, and of as many that do not count
 * @param only names to measure, empty for all
 */
record MicroScenario(int forks, int rounds, long roundMillis, List<String> only) {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  MicroScenario(Options options) {
    this(1, options.rounds(), 1000L, options.only());
  }

  Report run() {
    try {
      Runner runner =
          new Runner(
              jmh().build(),
              // The last line of the standard output is the report's.
              OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL));
      return report(runner.run());
    } catch (RunnerException e) {
      throw new IllegalStateException("JMH refused to run", e);
    }
  }

  private ChainedOptionsBuilder jmh() {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(forks)
            .warmupIterations(rounds)
            .warmupTime(TimeValue.milliseconds(roundMillis))
            .measurementIterations(rounds)
            .measurementTime(TimeValue.milliseconds(roundMillis))
            .shouldFailOnError(true)
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("-Xmx256m");
    if (only.isEmpty()) {
      return options.include(EngineBenchmark.class.getPackageName());
    }
    for (String name : only) {
      String[] words = name.split("-", 2);
      options.include("(?i)\\." + words[0] + "Benchmark\\." + words[words.length - 1] + "$");
    }
    return options;
  }

  private static Report report(Collection<RunResult> results) {
    List<Report.Line> lines = new ArrayList<>();
    for (RunResult result : results) {
      Measured measured = new Measured();
      Result<?> time = result.getPrimaryResult();
      measured.details().put("nanosPerEvent", time.getScore());
      double error = time.getScoreError();
      if (!Double.isNaN(error)) {
        measured.details().put("nanosPerEventError", error);
      }
      Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
      if (allocated != null) {
        measured.details().put("bytesPerEvent", allocated.getScore());
      }
      lines.add(Report.line(label(result.getParams().getBenchmark()), measured));
    }
    return new Report("micro", "none", "none", lines);
  }

  /** {@code message-raw} for {@code io.waybill.bench.micro.MessageBenchmark.raw}. */
  private static String label(String benchmark) {
    String[] names = benchmark.split("\\.", -1);
    String group = names[names.length - 2].replace("Benchmark", "");
    return (group + "-" + names[names.length - 1]).toLowerCase(Locale.ROOT);
  }
}
