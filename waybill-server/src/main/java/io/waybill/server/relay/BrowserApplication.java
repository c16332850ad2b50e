package io.waybill.server.relay;

import io.waybill.internal.jdbc.operator.Logins;
import io.waybill.server.login.IssuerLogin;
import io.waybill.server.login.LoginSecurity;
import io.waybill.server.login.LoginStore;
import io.waybill.spring.internal.api.OutboxApi;
import io.waybill.spring.properties.LoginProperties;
import io.waybill.spring.properties.WaybillProperties;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Logins of browsers at the API, for users with passwords and those of an issuer. */
@Configuration(proxyBeanMethods = false)
class BrowserApplication {
  // Behind the API's.
  private static final int ORDER = 101;

  @Bean
  LoginStore waybillLogins(OutboxApi api, WaybillProperties properties) {
    LoginProperties login = properties.api().login();
    String outbox = Objects.requireNonNullElse(login.outbox(), api.names().get(0));
    return new LoginStore(api, outbox, new Logins.Life(login.idle(), login.lifetime()));
  }

  @Bean
  LoginSecurity waybillBrowsers(
      LoginStore store,
      ObjectProvider<UserDetailsService> users,
      ObjectProvider<IssuerLogin> issuer,
      Environment environment,
      WaybillProperties properties) {
    return new LoginSecurity(
        store,
        users.getIfAvailable(),
        issuer.getIfAvailable(),
        RelayDefaults.hasConsole(environment, properties));
  }

  @Bean
  SimpleUrlHandlerMapping waybillLoginPage(LoginSecurity browsers) {
    HttpRequestHandler page = browsers.page();
    SimpleUrlHandlerMapping mapping =
        new SimpleUrlHandlerMapping(
            Arrays.stream(LoginSecurity.addresses())
                .collect(Collectors.toMap(Function.identity(), address -> page)));
    mapping.setOrder(ORDER);
    return mapping;
  }
}
