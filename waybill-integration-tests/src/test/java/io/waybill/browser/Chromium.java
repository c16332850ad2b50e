package io.waybill.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import io.waybill.proof.server.UnpackedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Chromium of Debian's package, unpacked and driven by Playwright. For one thread. */
final class Chromium implements AutoCloseable {
  private static final int HEIGHT = 800;

  // What the scripts that install the packages would have chosen.
  private static final String FONTS =
      """
      <fontconfig>
        <dir>/usr/share/fonts</dir>
        <match>
          <edit name="family" mode="append_last"><string>Liberation Sans</string></edit>
        </match>
      </fontconfig>
      """;

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  static Chromium launch() throws IOException {
    Path fonts = Files.createTempFile("waybill-fonts", ".conf");
    Files.writeString(fonts, FONTS);
    fonts.toFile().deleteOnExit();
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("FONTCONFIG_FILE", fonts.toString());
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    return new Chromium(
        playwright,
        playwright
            .chromium()
            .launch(
                new LaunchOptions()
                    .setEnv(environment)
                    .setExecutablePath(UnpackedServer.CHROMIUM.starter("chromium"))
                    // It runs in a namespace of root's already.
                    .setChromiumSandbox(false)));
  }

  String version() {
    return browser.version();
  }

  /** Somebody who looks at a console, without a login yet. */
  Person person(String console, int width, ColorScheme scheme) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, HEIGHT)
                .setColorScheme(scheme)
                .setLocale("en-GB")
                .setTimezoneId("Europe/Berlin"));
    context.grantPermissions(List.of("clipboard-read", "clipboard-write"));
    return new Person(context, console);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
