package io.waybill.server.access;

import io.waybill.spring.internal.api.Role;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * A line of a users file: {@code NAME:ROLE,...:HASH}. A role is viewer, operator or administrator,
 * of one outbox with {@code @NAME} behind it.
 *
 * @param name of a person or a program
 * @param roles as in the line
 * @param hash of the password, as {@link Passwords} has it
 */
public record UserLine(String name, List<String> roles, String hash) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,100}");
  private static final Pattern ROLE = Pattern.compile("([a-z]+)(?:@([A-Za-z0-9._-]+))?");

  /** Checks name and roles. */
  public UserLine {
    roles = List.copyOf(roles);
    require(NAME.matcher(name).matches(), "name", "must match " + NAME, name);
    require(!roles.isEmpty(), "role", "must be given", "");
    roles.forEach(UserLine::authority);
  }

  /**
   * The same user with a password.
   *
   * @param hashed its hash
   * @return another line
   */
  public UserLine withHash(String hashed) {
    return new UserLine(name, roles, hashed);
  }

  private static void require(boolean holds, String part, String rule, String value) {
    if (!holds) {
      throw new IllegalArgumentException("%s %s, but is '%s'".formatted(part, rule, value));
    }
  }

  static UserLine parse(String line) {
    String[] parts = line.split(":", 3);
    if (parts.length < 3) {
      // The line itself may have a password in it.
      throw new IllegalArgumentException("must be NAME:ROLE,...:HASH");
    }
    if (!Passwords.isHash(parts[2])) {
      throw new IllegalArgumentException(
          "the password must be a hash that begins with {bcrypt} or {sha256}");
    }
    return new UserLine(parts[0], List.of(parts[1].split(",", -1)), parts[2]);
  }

  private static String authority(String role) {
    Matcher matcher = ROLE.matcher(role);
    Role known =
        matcher.matches()
            ? Stream.of(Role.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(matcher.group(1)))
                .findFirst()
                .orElse(null)
            : null;
    require(
        known != null,
        "role",
        "must be viewer, operator or administrator, of one outbox with @NAME behind it",
        role);
    String outbox = matcher.group(2);
    return outbox == null
        ? Objects.requireNonNull(known).role()
        : Objects.requireNonNull(known).role(outbox);
  }

  UserDetails details() {
    return User.withUsername(name)
        .password(hash)
        .authorities(
            AuthorityUtils.createAuthorityList(
                roles.stream().map(role -> "ROLE_" + authority(role)).toList()))
        .build();
  }

  @Override
  public String toString() {
    return roles.stream().collect(Collectors.joining(",", name + ":", ":" + hash));
  }
}
