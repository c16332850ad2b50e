package io.waybill.proof;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets each test fail once after it has passed, so that all of them are run again: what fails the
 * second time too does not start afresh. Does nothing without the system property {@code
 * waybill.test.fails-first}. Registered in {@code META-INF/services} of the tests, with JUnit's
 * automatic detection switched on. Thread-safe.
 */
public final class FailsFirst implements AfterEachCallback {
  // The tests are run again in the same JVM.
  private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  /** Made by JUnit. */
  public FailsFirst() {}

  @Override
  public void afterEach(ExtensionContext context) {
    if (Boolean.getBoolean("waybill.test.fails-first")
        && context.getExecutionException().isEmpty()
        && SEEN.add(context.getUniqueId())) {
      throw new AssertionError("planted: passed, and is to be run again");
    }
  }
}
