package io.waybill.server.relay;

import io.waybill.internal.start.Supervisor;
import io.waybill.server.access.FirstLogin;
import io.waybill.server.access.Passwords;
import io.waybill.server.access.TokenApplication;
import io.waybill.server.access.UsersFile;
import io.waybill.server.terminal.CommandContext;
import io.waybill.spring.autoconfigure.LoadedProperties;
import io.waybill.spring.autoconfigure.PublisherDecorator;
import io.waybill.spring.autoconfigure.RelayFailureHandler;
import io.waybill.spring.autoconfigure.RelayLifecycle;
import io.waybill.spring.autoconfigure.RelayName;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.config.Setting;
import io.waybill.spring.properties.WaybillProperties;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.support.EnvironmentPostProcessorApplicationListener;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;

/** One relay per outbox, with health and metrics. Stopped once, by {@link #stop}. */
public final class RelayProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RelayProcess.class);
  // Nothing of it is in the application unless a login is configured.
  private static final String LOGIN_PARTS =
      String.join(
          ",",
          "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
          "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
          "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
          "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
          "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration");

  // And nothing of these unless tokens of an issuer are taken.
  private static final String TOKENS =
      "org.springframework.boot.security.oauth2.server.resource.autoconfigure.";
  private static final String TOKEN_PARTS =
      TOKENS
          + "OAuth2ResourceServerAutoConfiguration,"
          + TOKENS
          + "web.OAuth2ResourceServerWebSecurityAutoConfiguration";

  // Never: what takes their place asks the issuer later.
  private static final String CLIENTS =
      "org.springframework.boot.security.oauth2.client.autoconfigure.";
  private static final String CLIENT_PARTS =
      CLIENTS
          + "OAuth2ClientAutoConfiguration,"
          + CLIENTS
          + "servlet.OAuth2ClientWebSecurityAutoConfiguration";

  private final ConfigurableApplicationContext context;
  private final StopTime stopTime;

  private RelayProcess(ConfigurableApplicationContext context, StopTime stopTime) {
    this.context = context;
    this.stopTime = stopTime;
  }

  /** Comes before the relays, which begin at the same event. */
  private record Beginning(Runnable begins)
      implements ApplicationListener<ApplicationStartedEvent>, Ordered {
    @Override
    public void onApplicationEvent(ApplicationStartedEvent event) {
      begins.run();
    }

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }

  /** The time that a stop has, relays and spans together. */
  private static final class StopTime {
    private final Duration grace;
    private volatile long began;

    StopTime(Duration grace) {
      this.grace = grace;
    }

    void begin() {
      began = System.nanoTime();
    }

    Duration left() {
      return grace.minusNanos(System.nanoTime() - began);
    }
  }

  /**
   * Starts everything. Databases and brokers may be down: the relays wait for them.
   *
   * @param loaded the configuration, without problems
   * @param begins called before the first relay begins; until then there is nothing to stop
   * @param gaveUp called when an outbox has no relay and gets none: a start-up check refuses it
   *     ({@link Supervisor.Refused}), or a part of its relay failed; the caller then stops the
   *     process
   * @return the running whole
   * @throws PortTakenException if the address of health and metrics cannot be bound
   */
  public static RelayProcess start(
      LoadedConfig<WaybillProperties> loaded, Runnable begins, Consumer<Throwable> gaveUp) {
    WaybillProperties properties = loaded.get();
    ConfigurableEnvironment environment = loaded.environment();
    Duration grace = properties.relay().gracePeriod();
    StopTime stopTime = new StopTime(grace);
    SpringApplication application = new SpringApplication(RelayApplication.class);
    application.setWebApplicationType(WebApplicationType.SERVLET);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    // A second signal has to end the process at once, which a hook cannot tell from the first.
    application.setRegisterShutdownHook(false);
    application.setEnvironment(environment);
    // Its files have been read already.
    application.setListeners(
        application.getListeners().stream()
            .filter(each -> !(each instanceof EnvironmentPostProcessorApplicationListener))
            .toList());
    Map<String, Object> defaults = RelayDefaults.of(environment, properties);
    if (!RelayDefaults.hasLogin(environment)) {
      defaults.put(
          "spring.autoconfigure.exclude", String.join(",", LOGIN_PARTS, TOKEN_PARTS, CLIENT_PARTS));
    } else if (!RelayDefaults.hasIssuer(environment)) {
      application.addPrimarySources(List.of(LoginApplication.class));
      defaults.put("spring.autoconfigure.exclude", TOKEN_PARTS + "," + CLIENT_PARTS);
    } else {
      application.addPrimarySources(List.of(LoginApplication.class, TokenApplication.class));
      defaults.put("spring.autoconfigure.exclude", CLIENT_PARTS);
    }
    boolean issues = RelayDefaults.hasIssuerLogin(environment);
    if (issues) {
      application.addPrimarySources(List.of(IssuerApplication.class));
    }
    if (issues || RelayDefaults.hasUsers(environment, properties)) {
      application.addPrimarySources(List.of(BrowserApplication.class));
    }
    application.setDefaultProperties(defaults);
    application.addInitializers(
        started -> beans((GenericApplicationContext) started, properties, gaveUp, stopTime));
    application.addListeners(
        (ApplicationListener<WebServerInitializedEvent>) RelayProcess::serving,
        new Beginning(begins));
    try {
      return new RelayProcess(application.run(), stopTime);
    } catch (RuntimeException e) {
      throw refusal(environment, e);
    }
  }

  /**
   * Returns the values of Spring Boot's keys that apply to a relay, and of the keys that layouts
   * bring; keys of Spring Boot that are not configured have a relay's defaults.
   *
   * @param loaded the configuration, without problems
   * @return settings by key
   */
  public static List<Setting> settings(LoadedConfig<WaybillProperties> loaded) {
    return loaded.settings(
        Set.of("server", "management", "logging", "spring", "notification"),
        RelayDefaults.of(loaded.environment(), loaded.get()));
  }

  private static void beans(
      GenericApplicationContext context,
      WaybillProperties properties,
      Consumer<Throwable> gaveUp,
      StopTime stopTime) {
    LoadedProperties.register(context, properties);
    context.registerBean(RelayFailureHandler.class, () -> (outbox, cause) -> gaveUp.accept(cause));
    if (properties.api().enabled() && !RelayDefaults.hasPassword(context.getEnvironment())) {
      users(context, properties.api().users());
    }
    if (Tracing.asked(System.getenv())) {
      context.registerBean(
          PublisherDecorator.class,
          () -> new Tracing(context.getBean(RelayName.class).value(), stopTime::left));
    }
  }

  private static void users(GenericApplicationContext context, @Nullable String file) {
    context.registerBean(PasswordEncoder.class, Passwords::new);
    if (file != null) {
      context.registerBean(UserDetailsService.class, () -> new UsersFile(Path.of(file)));
    } else if (!RelayDefaults.hasIssuer(context.getEnvironment())) {
      Consumer<String> terminal =
          CommandContext.ofProcess().terminal() ? System.out::println : null;
      context.registerBean(FirstLogin.class, () -> FirstLogin.show(terminal));
      context.registerBean(
          UserDetailsService.class, () -> context.getBean(FirstLogin.class).users());
    }
  }

  private static void serving(WebServerInitializedEvent event) {
    Environment environment = event.getApplicationContext().getEnvironment();
    boolean tls = RelayDefaults.given(environment, "server.ssl.bundle").isPresent();
    String base =
        "%s://%s:%d"
            .formatted(
                tls ? "https" : "http",
                environment.getProperty(RelayDefaults.ADDRESS),
                event.getWebServer().getPort());
    LOG.info(
        "{} on {}",
        RelayDefaults.hasApi(environment) ? "API, health and metrics" : "health and metrics",
        base);
    if (environment.getProperty(RelayDefaults.CONSOLE, Boolean.class, false)) {
      String context = environment.getProperty("server.servlet.context-path", "");
      LOG.info("console on {}{}/console", base, context);
    }
  }

  private static RuntimeException refusal(ConfigurableEnvironment environment, RuntimeException e) {
    String address = environment.getProperty(RelayDefaults.ADDRESS, "");
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof PortInUseException taken) {
        return new PortTakenException(address, taken.getPort(), "Address already in use", e);
      }
      if (cause instanceof SocketException refused) {
        Integer port = environment.getProperty(RelayDefaults.PORT, Integer.class, 0);
        return new PortTakenException(address, port, String.valueOf(refused.getMessage()), e);
      }
    }
    return StartFailure.of(environment, e);
  }

  /**
   * Where health and metrics are served.
   *
   * @return the port, or 0 if they are not
   */
  public int port() {
    return context instanceof WebServerApplicationContext web && web.getWebServer() != null
        ? Math.max(0, web.getWebServer().getPort())
        : 0;
  }

  /**
   * Stops all relays gracefully and in parallel, each within the configured grace period.
   *
   * @return whether all of them settled their work
   */
  public boolean stop() {
    stopTime.begin();
    Collection<RelayLifecycle> relays = context.getBeansOfType(RelayLifecycle.class).values();
    context.close();
    boolean clean = relays.stream().allMatch(RelayLifecycle::isSettled);
    LOG.info(clean ? "stopped; all work is settled" : "stopped with work in flight");
    return clean;
  }
}
