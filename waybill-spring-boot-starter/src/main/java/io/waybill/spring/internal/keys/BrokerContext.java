package io.waybill.spring.internal.keys;

import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.internal.config.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Where settings of brokers come from, beside Waybill's own properties.
 *
 * @param bundles names of the SSL bundles that were asked for
 */
public record BrokerContext(
    Environment environment, BeanFactory beans, ResourceLoader resources, Set<String> bundles) {
  /** That of an application. */
  public static BrokerContext of(ApplicationContext context) {
    return new BrokerContext(context.getEnvironment(), context, context, new LinkedHashSet<>());
  }

  /** Tells when a bundle that was asked for has been renewed. */
  public void onRenewal(Consumer<String> renewed) {
    for (String name : bundles) {
      beans
          .getBean(SslBundles.class)
          .addBundleUpdateHandler(
              name, bundle -> renewed.accept("SSL bundle " + name + " has been renewed"));
    }
  }

  /**
   * What stands below a prefix, or its defaults.
   *
   * @throws ConfigException if a value is not of its key's type
   */
  public <T> T bind(String prefix, Class<T> type) {
    try {
      return Binder.get(environment).bindOrCreate(prefix, type);
    } catch (BindException e) {
      ConfigurationProperty property = e.getProperty();
      throw new ConfigException(
          List.of(
              new Problem(
                  e.getName().toString(),
                  "must be of type "
                      + e.getTarget().getType().resolve(Object.class).getSimpleName(),
                  property == null ? "" : String.valueOf(property.getValue()),
                  "")));
    }
  }

  /** Whether anything stands below a prefix. */
  public boolean has(String prefix) {
    return Binder.get(environment)
        .bind(prefix, Bindable.mapOf(String.class, String.class))
        .isBound();
  }

  /** Whether one of these keys has a value; lists may be written as lists. */
  public boolean hasAny(List<String> keys) {
    Binder binder = Binder.get(environment);
    return keys.stream()
        .map(key -> binder.bind(key, Bindable.listOf(String.class)).orElse(List.of()))
        .anyMatch(values -> values.stream().anyMatch(value -> !value.isBlank()));
  }

  /** The only bean of a type, or null. */
  public <T> @Nullable T bean(Class<T> type) {
    return beans.getBeanProvider(type).getIfUnique();
  }

  /** Whether there is a bean of a class that may be missing. */
  public boolean details(String type) {
    ClassLoader loader = resources.getClassLoader();
    return ClassUtils.isPresent(type, loader)
        && beans.getBeanProvider(ClassUtils.resolveClassName(type, loader)).getIfUnique() != null;
  }

  /** A bundle whose files have been read; one that cannot be used is refused. */
  public SslBundle bundle(String name) {
    bundles.add(name);
    SslBundle bundle = bundle("the SSL bundle of the broker", name).get();
    try {
      // Each reads its files at the first use.
      KeyStore unusedTrust = bundle.getStores().getTrustStore();
      KeyStore unusedKeys = bundle.getStores().getKeyStore();
      return bundle;
    } catch (IllegalStateException e) {
      throw Problems.failure(
          List.of("the SSL bundle %s cannot be used: %s".formatted(name, e.getMessage())), e);
    }
  }

  /**
   * A bundle as it is at the time; one that there is not is refused.
   *
   * @param key the key that names it
   */
  public Supplier<SslBundle> bundle(String key, String name) {
    SslBundles known = beans.getBean(SslBundles.class);
    if (!known.getBundleNames().contains(name)) {
      throw Problems.failure(
          List.of(
              "%s names no SSL bundle, is %s; there are %s"
                  .formatted(key, name, known.getBundleNames())),
          null);
    }
    return () -> known.getBundle(name);
  }

  /** A file named as Spring names resources. */
  public Path file(String location) {
    try {
      return resources.getResource(location).getFile().toPath();
    } catch (IOException e) {
      throw new UncheckedIOException("Not a file: " + location, e);
    }
  }
}
