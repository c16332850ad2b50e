package io.waybill.spring.inbox;

import io.waybill.handler.Registration;
import io.waybill.spring.PayloadMapper;
import io.waybill.spring.WaybillHandler;
import io.waybill.spring.WaybillStartException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.TransactionManager;

/** Finds the methods with {@link WaybillHandler} of all beans. */
public final class HandlerScan {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerScan.class);

  private final ConfigurableListableBeanFactory beans;
  private final PayloadMapper mapper;
  private final InboxManager manager;
  private final List<Registration> found = new ArrayList<>();
  private final Map<String, Registration> taken = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private HandlerScan(
      ConfigurableListableBeanFactory beans,
      PayloadMapper mapper,
      @Nullable TransactionManager inbox) {
    this.beans = beans;
    this.mapper = mapper;
    this.manager = new InboxManager(beans, inbox);
  }

  /**
   * Examines all beans, without creating any.
   *
   * @param beans the beans
   * @param mapper reads payloads
   * @param inbox manager of the inbox's transactions, null where there is no inbox
   * @return the handlers
   * @throws WaybillStartException naming every method that breaks a rule of handlers, and every
   *     type that has two handlers
   */
  public static List<Registration> find(
      ConfigurableListableBeanFactory beans,
      PayloadMapper mapper,
      @Nullable TransactionManager inbox) {
    HandlerScan scan = new HandlerScan(beans, mapper, inbox);
    for (String name : beans.getBeanNamesForType(Object.class)) {
      Class<?> type = scan.type(name);
      if (type != null && isCandidate(type)) {
        scan.look(name, type);
      }
    }
    if (!scan.problems.isEmpty()) {
      throw new WaybillStartException(
          "Methods with @WaybillHandler break rules:\n  - " + String.join("\n  - ", scan.problems),
          "Correct the methods; docs/spring-boot.md lists the parameters of handlers.",
          null);
    }
    return List.copyOf(scan.found);
  }

  private @Nullable Class<?> type(String name) {
    try {
      return ScopedProxyUtils.isScopedTarget(name)
          ? null
          : AutoProxyUtils.determineTargetClass(beans, name);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("The class of bean {} is unknown; the bean has no handlers", name, e);
      return null;
    }
  }

  private static boolean isCandidate(Class<?> type) {
    return !type.getName().startsWith("org.springframework.")
        && AnnotationUtils.isCandidateClass(type, WaybillHandler.class);
  }

  private void look(String name, Class<?> type) {
    Set<Method> methods =
        MethodIntrospector.selectMethods(
            type,
            (Method method) -> AnnotatedElementUtils.hasAnnotation(method, WaybillHandler.class));
    for (Method method : methods) {
      try {
        Class<?> bean = beans.getType(name);
        Method invocable = AopUtils.selectInvocableMethod(method, bean == null ? type : bean);
        HandlerMethod.register(type, method, invocable, () -> beans.getBean(name), mapper, manager)
            .forEach(this::add);
      } catch (IllegalArgumentException | IllegalStateException e) {
        problems.add(
            method.getDeclaringClass().getName() + "." + method.getName() + " " + e.getMessage());
      }
    }
  }

  private void add(Registration registration) {
    String key =
        "type "
            + registration.type()
            + (registration.version() == Registration.ANY_VERSION
                ? ""
                : " version " + registration.version());
    Registration other = taken.putIfAbsent(key, registration);
    if (other == null) {
      found.add(registration);
    } else {
      problems.add(
          key
              + " must have one handler, has "
              + other.handler()
              + " and "
              + registration.handler());
    }
  }
}
