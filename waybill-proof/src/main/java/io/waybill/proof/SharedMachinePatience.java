package io.waybill.proof;

import io.waybill.testkit.Patience;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets Awaitility wait for a minute or what {@link Patience} makes of it, where a test does not say
 * how long. Its own default of ten seconds is too short for a broker that shares two cores with
 * other suites. Registered in {@code META-INF/services} of the tests that want it, with JUnit's
 * automatic detection switched on.
 */
public final class SharedMachinePatience implements BeforeAllCallback {
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(1));

  /** Made by JUnit. */
  public SharedMachinePatience() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LIMIT);
  }
}
