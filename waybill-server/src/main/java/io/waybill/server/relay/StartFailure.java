package io.waybill.server.relay;

import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.context.ApplicationContextException;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** Why Spring Boot did not start, where its own analyzers know that the settings are the cause. */
final class StartFailure {
  private static final String TITLE = "The relay cannot start with these settings: ";

  private StartFailure() {}

  /** The same in one sentence, or the failure itself if nobody knows it. */
  static RuntimeException of(Environment environment, RuntimeException failure) {
    if (failure instanceof FailureAnalyzedException known) {
      FailureAnalysis analysis = known.analysis();
      return refused(analysis.getDescription(), analysis.getAction(), failure);
    }
    List<FailureAnalyzer> analyzers =
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(
                FailureAnalyzer.class,
                ArgumentResolver.of(Environment.class, environment),
                (type, name, problem) -> {});
    for (FailureAnalyzer analyzer : analyzers) {
      FailureAnalysis analysis = analyzer.analyze(failure);
      if (analysis != null) {
        return refused(analysis.getDescription(), analysis.getAction(), failure);
      }
    }
    // A server that cannot be made, of certificates that cannot be read, say.
    boolean server =
        failure instanceof ApplicationContextException
            || root(failure) instanceof NoSuchSslBundleException;
    return server ? refused(root(failure).toString(), null, failure) : failure;
  }

  private static WaybillStartException refused(
      @Nullable String said, @Nullable String action, RuntimeException cause) {
    return new WaybillStartException(
        TITLE + Printable.line(String.valueOf(said)),
        action == null ? "Correct the settings." : Printable.line(action),
        cause);
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
