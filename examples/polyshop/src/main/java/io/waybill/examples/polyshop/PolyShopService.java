package io.waybill.examples.polyshop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * All Java services of PolyShop: the first argument says which one this process is. A service is a
 * profile of Spring, with its own properties, database and name in envelopes.
 */
@SpringBootApplication
public class PolyShopService {
  /**
   * Starts a service.
   *
   * @param args auth, product, inventory, order, search, analytics or gateway; then properties, as
   *     Spring Boot takes them
   */
  public static void main(String[] args) {
    if (args.length == 0) {
      System.err.println("usage: PolyShopService SERVICE [--PROPERTY=VALUE ...]");
      System.exit(2);
    }
    start(args[0], Arrays.copyOfRange(args, 1, args.length));
  }

  /**
   * Starts a service in this process.
   *
   * @param service its name, without {@code -service}
   * @param properties as Spring Boot takes them
   * @return the running service
   */
  static ConfigurableApplicationContext start(String service, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("--spring.profiles.active=" + service);
    return new SpringApplicationBuilder(PolyShopService.class)
        .properties("spring.config.name=polyshop")
        .bannerMode(Banner.Mode.OFF)
        .run(all.toArray(String[]::new));
  }
}
