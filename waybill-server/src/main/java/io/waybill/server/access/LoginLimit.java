package io.waybill.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Checks passwords, but not those of who has been wrong too often: to check takes time. A user
 * whose name others guess elsewhere logs in all the same. Thread-safe.
 *
 * <p>Requests that come together are all checked before the first of them counts.
 */
public final class LoginLimit implements AuthenticationProvider {
  /** Wrong passwords for one name from one address. */
  static final int OF_A_NAME = 10;

  /** Wrong passwords from one address. */
  static final int OF_AN_ADDRESS = 50;

  /** As many are remembered; the oldest is forgotten for the next. */
  static final int REMEMBERED = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(LoginLimit.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final int LONGEST_TEXT = 100;
  private static final int NETWORK_BYTES = 8;

  private final AuthenticationProvider passwords;
  private final LongSupplier clock;
  // In the order of their beginning.
  private final Map<Who, Failures> failures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Who, Failures> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Without a name, all of an address. */
  private record Who(@Nullable String name, String address) {}

  private record Failures(long since, int count) {}

  /**
   * Passwords that are checked by another provider.
   *
   * @param passwords what checks them
   */
  public LoginLimit(AuthenticationProvider passwords) {
    this(passwords, System::nanoTime);
  }

  /** With a clock in nanoseconds. */
  LoginLimit(AuthenticationProvider passwords, LongSupplier clock) {
    this.passwords = passwords;
    this.clock = clock;
  }

  @Override
  public boolean supports(Class<?> kind) {
    return UsernamePasswordAuthenticationToken.class.isAssignableFrom(kind);
  }

  @Override
  public @Nullable Authentication authenticate(Authentication login) {
    String address =
        login.getDetails() instanceof WebAuthenticationDetails details
            ? network(String.valueOf(details.getRemoteAddress()))
            : "";
    Who user = new Who(cut(login.getName()), address);
    Who everybody = new Who(null, address);
    long wait = Math.max(left(user, OF_A_NAME), left(everybody, OF_AN_ADDRESS));
    if (wait > 0) {
      throw new TooManyLogins(Duration.ofNanos(wait).plusSeconds(1).toSeconds());
    }
    try {
      Authentication known = passwords.authenticate(login);
      forget(user);
      return known;
    } catch (BadCredentialsException e) {
      count(user, OF_A_NAME);
      count(everybody, OF_AN_ADDRESS);
      throw e;
    }
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  /** Of IPv6, each subscriber has a network of addresses. */
  static String network(String address) {
    // With a colon it is no name of a host, which would be looked up.
    if (address.contains(":")) {
      try {
        byte[] bytes = InetAddress.getByName(address).getAddress();
        byte[] network = Arrays.copyOf(Arrays.copyOf(bytes, NETWORK_BYTES), bytes.length);
        return InetAddress.getByAddress(network).getHostAddress();
      } catch (UnknownHostException e) {
        return cut(address);
      }
    }
    return cut(address);
  }

  private synchronized long left(Who who, int most) {
    Failures found = failures.get(who);
    return found == null || found.count < most
        ? 0
        : Math.max(0, found.since + PERIOD.toNanos() - clock.getAsLong());
  }

  private synchronized void count(Who who, int most) {
    long now = clock.getAsLong();
    Failures before = failures.get(who);
    if (before == null || now - before.since >= PERIOD.toNanos()) {
      failures.remove(who);
      failures.put(who, new Failures(now, 1));
      return;
    }
    failures.put(who, new Failures(before.since, before.count + 1));
    if (before.count + 1 == most) {
      LOG.warn(
          "{} wrong passwords{} from {} within a minute; more of them get 429 until it ends",
          most,
          who.name == null ? "" : " for one name",
          who.address);
    }
  }

  synchronized int remembered() {
    return failures.size();
  }

  private synchronized void forget(Who who) {
    failures.remove(who);
  }
}
