package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.spring.Tables;
import java.security.Principal;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** Who asked is who is logged in; what the request says of it counts where nobody is. */
@Tag("server")
class EndpointUserTest {
  private final Tables tables = Tables.create();
  private final WaybillEndpoint endpoint =
      new WaybillEndpoint(
          Map.of(
              "outbox",
              PostgresOutbox.of(
                      ConnectionFactory.postgres(tables.url(), new Properties()),
                      PostgresOptions.ofDefaults())
                  ::admin));

  private record User(String name) implements Principal, SecurityContext {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public Principal getPrincipal() {
      return this;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }
  }

  private void pause(SecurityContext user, @Nullable String by) {
    endpoint.request("pause", null, user, by, "full", null, null, null, "orders", null);
  }

  @Test
  void whoIsLoggedInCannotClaimToBeAnother() {
    pause(new User("ann"), "bob");
    pause(SecurityContext.NONE, "carl");

    assertThat(tables.texts("select requested_by from waybill_audit order by id"))
        .containsExactly("ann", "carl");
    assertThat(tables.texts("select distinct database_user from waybill_audit"))
        .isEqualTo(tables.texts("select session_user"));
  }

  @Test
  void somebodyMustBeNamed() {
    assertThatExceptionOfType(InvalidEndpointRequestException.class)
        .isThrownBy(() -> pause(SecurityContext.NONE, null))
        .withMessageContaining("by");
  }
}
