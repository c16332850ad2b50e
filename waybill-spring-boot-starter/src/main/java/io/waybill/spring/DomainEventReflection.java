package io.waybill.spring;

import java.lang.reflect.AnnotatedElement;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/** Lets a native image read the properties of domain events and serialise them. */
final class DomainEventReflection implements ReflectiveProcessor {
  private final BindingReflectionHintsRegistrar registrar = new BindingReflectionHintsRegistrar();

  @Override
  public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
    if (element instanceof Class<?> type) {
      registrar.registerReflectionHints(hints, type);
    }
  }
}
