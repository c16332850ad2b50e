package io.waybill.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;

/** Lets a native image call handlers and read the payloads that they take. */
final class HandlerReflection extends SimpleReflectiveProcessor {
  private final BindingReflectionHintsRegistrar registrar = new BindingReflectionHintsRegistrar();

  @Override
  protected void registerMethodHint(ReflectionHints hints, Method method) {
    super.registerMethodHint(hints, method);
    for (Type parameter : method.getGenericParameterTypes()) {
      registrar.registerReflectionHints(hints, parameter);
    }
  }
}
