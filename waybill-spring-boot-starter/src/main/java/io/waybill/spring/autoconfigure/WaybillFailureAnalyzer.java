package io.waybill.spring.autoconfigure;

import io.waybill.spring.WaybillStartException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** One readable report in place of a stack trace. */
final class WaybillFailureAnalyzer extends AbstractFailureAnalyzer<WaybillStartException> {
  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, WaybillStartException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
