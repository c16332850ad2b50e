package io.waybill.spring.internal.database;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * SSL bundles of databases. Drivers make the parts of their TLS by name and give them texts alone,
 * so a bundle waits here for the part that asks for it. It is read anew for each connection: one
 * that was renewed holds for all later ones. Thread-safe.
 */
final class DatabaseBundles {
  // The factory of the connections holds the bundle; an entry ends with its factory.
  private static final Map<String, WeakReference<Supplier<SslBundle>>> KNOWN =
      new ConcurrentHashMap<>();
  private static final AtomicLong NUMBER = new AtomicLong();

  private DatabaseBundles() {}

  /**
   * Keeps a bundle for drivers, for as long as the caller keeps it.
   *
   * @return the name that drivers have to give
   */
  static String add(Supplier<SslBundle> bundle) {
    KNOWN.values().removeIf(each -> each.get() == null);
    String name = "bundle-" + NUMBER.incrementAndGet();
    KNOWN.put(name, new WeakReference<>(bundle));
    return name;
  }

  /** The bundle as it is now. */
  static SslBundle get(@Nullable String name) {
    WeakReference<Supplier<SslBundle>> known = name == null ? null : KNOWN.get(name);
    Supplier<SslBundle> bundle = known == null ? null : known.get();
    if (bundle == null) {
      throw new IllegalStateException("There is no SSL bundle of a database by the name " + name);
    }
    return bundle.get();
  }
}
