package io.waybill.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Who is refused unread after wrong passwords, for how long, and who is not. */
class LoginLimitTest {
  private static final String HERE = "192.0.2.1";
  private static final String ELSEWHERE = "198.51.100.7";

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
  private final AtomicInteger checked = new AtomicInteger();
  private final LoginLimit limit =
      new LoginLimit(
          new AuthenticationProvider() {
            @Override
            public Authentication authenticate(Authentication login) {
              checked.incrementAndGet();
              if (!"right".equals(login.getCredentials())) {
                throw new BadCredentialsException("wrong");
              }
              Collection<? extends GrantedAuthority> none = List.of();
              return UsernamePasswordAuthenticationToken.authenticated(login.getName(), null, none);
            }

            @Override
            public boolean supports(Class<?> kind) {
              return true;
            }
          },
          now::get);

  private @Nullable Throwable login(String name, String password, String address) {
    UsernamePasswordAuthenticationToken login =
        UsernamePasswordAuthenticationToken.unauthenticated(name, password);
    login.setDetails(new WebAuthenticationDetails(address, null));
    return catchThrowable(() -> limit.authenticate(login));
  }

  private void wrong(int times, String name, String address) {
    for (int i = 0; i < times; i++) {
      assertThat(login(name, "wrong", address)).isInstanceOf(BadCredentialsException.class);
    }
  }

  private static void assertRefused(@Nullable Throwable thrown) {
    assertThat(thrown).isInstanceOf(TooManyLogins.class);
  }

  @Test
  void aNameThatIsGuessedIsRefusedUnreadForAMinute() {
    wrong(LoginLimit.OF_A_NAME, "alice", HERE);
    int before = checked.get();

    assertRefused(login("alice", "right", HERE));
    assertThat(checked).hasValue(before);
    assertThat(login("bob", "right", HERE)).as("another name").isNull();
    assertThat(login("alice", "right", ELSEWHERE)).as("another address").isNull();

    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(login("alice", "right", HERE))
        .isInstanceOfSatisfying(TooManyLogins.class, e -> assertThat(e.seconds()).isEqualTo(2));
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(login("alice", "right", HERE)).isNull();
  }

  @Test
  void aRightPasswordEndsTheCountOfItsName() {
    wrong(LoginLimit.OF_A_NAME - 1, "alice", HERE);
    assertThat(login("alice", "right", HERE)).isNull();
    wrong(LoginLimit.OF_A_NAME - 1, "alice", HERE);
    assertThat(login("alice", "right", HERE)).isNull();
  }

  @Test
  void anAddressThatGuessesNamesIsRefusedWhateverTheName() {
    for (int i = 0; i < LoginLimit.OF_AN_ADDRESS; i++) {
      wrong(1, "name-" + i, HERE);
    }
    assertRefused(login("alice", "right", HERE));
    assertThat(login("alice", "right", ELSEWHERE)).isNull();
  }

  @Test
  void aMinuteBeginsWithItsFirstWrongPassword() {
    for (int i = 0; i < 30; i++) {
      wrong(1, "alice", HERE);
      now.addAndGet(Duration.ofSeconds(7).toNanos());
    }
    assertThat(login("alice", "right", HERE)).isNull();
  }

  @Test
  void anAddressOfVersionSixIsOneOfItsNetwork() {
    for (int i = 0; i < LoginLimit.OF_AN_ADDRESS; i++) {
      wrong(1, "name-" + i, "2001:db8:0:7:0:0:0:" + Integer.toHexString(i));
    }
    assertRefused(login("alice", "right", "2001:db8:0:7:ffff::1"));
    assertThat(login("alice", "right", "2001:db8:0:8::1")).isNull();
    assertThat(LoginLimit.network("::ffff:192.0.2.1")).isEqualTo(HERE);
    assertThat(LoginLimit.network("no:address")).isEqualTo("no:address");
  }

  @Test
  void whatIsRememberedIsBounded() {
    String longName = "n".repeat(5_000);
    for (int i = 0; i < LoginLimit.REMEMBERED; i++) {
      wrong(1, longName, "10.0." + i / 250 + "." + i % 250);
    }
    assertThat(limit.remembered()).isEqualTo(LoginLimit.REMEMBERED);
  }
}
