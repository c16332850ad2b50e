package io.waybill.spring.internal.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

/** Files for Spring Boot to read, each checked before its text is handed out. */
final class CheckedFiles extends DefaultResourceLoader {
  private static final String SCHEME = "file:";

  private final Map<Path, YamlCheck> checks = new HashMap<>();

  /** A file that is refused. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient List<Problem> problems;

    RefusedException(List<Problem> problems) {
      super("refused");
      this.problems = problems;
    }

    List<Problem> problems() {
      return problems;
    }
  }

  @Override
  public Resource getResource(String location) {
    return location.startsWith(SCHEME)
        ? new Checked(Path.of(location.substring(SCHEME.length())))
        : super.getResource(location);
  }

  /** What was seen in a file, or null if it was not read here. */
  @Nullable YamlCheck check(Path file) {
    return checks.get(file.normalize());
  }

  private final class Checked extends FileSystemResource {
    private final Path file;

    Checked(Path file) {
      super(file);
      this.file = file;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
      if (!name.endsWith(".properties")) {
        YamlCheck check = YamlCheck.of(file.getFileName().toString(), bytes);
        if (!check.problems().isEmpty()) {
          throw new RefusedException(check.problems());
        }
        checks.put(file.normalize(), check);
      }
      return new ByteArrayInputStream(bytes);
    }
  }
}
