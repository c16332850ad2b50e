package io.waybill.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** What a native image has to keep: scripts of the tables, and what is bound besides properties. */
final class WaybillRuntimeHints implements RuntimeHintsRegistrar {
  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    hints.resources().registerPattern("io/waybill/schema/**");
    BindableRuntimeHintsRegistrar.forTypes(SpringKafka.class, SpringRabbit.class)
        .registerHints(hints);
  }
}
