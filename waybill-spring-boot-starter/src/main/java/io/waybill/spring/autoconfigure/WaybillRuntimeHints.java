package io.waybill.spring.autoconfigure;

import io.waybill.spring.internal.broker.SpringKafka;
import io.waybill.spring.internal.broker.SpringRabbit;
import io.waybill.spring.internal.database.PostgresBundle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * What a native image has to keep: scripts of the tables, the version, and what is bound besides
 * properties.
 */
final class WaybillRuntimeHints implements RuntimeHintsRegistrar {
  private static final List<String> FILES =
      List.of(
          "io/waybill/schema/**",
          "io/waybill/flyway/**",
          "io/waybill/flyway-inbox/**",
          "io/waybill/liquibase/**",
          "io/waybill/micrometer/build.properties");

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    FILES.forEach(hints.resources()::registerPattern);
    // PostgreSQL's driver makes it by its name.
    hints
        .reflection()
        .registerType(PostgresBundle.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    BindableRuntimeHintsRegistrar.forTypes(SpringKafka.class, SpringRabbit.class)
        .registerHints(hints);
  }
}
