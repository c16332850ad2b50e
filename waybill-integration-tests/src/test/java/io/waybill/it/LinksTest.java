package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between the documents of the repository lead to files and headings that there are. */
class LinksTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?![a-z]+:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

  /** Folders that builds and tests write to change while this test runs. */
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git");

  private static List<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  @Test
  void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
    int links = 0;
    for (Path document : documents()) {
      for (MatchResult link : LINK.matcher(Files.readString(document)).results().toList()) {
        Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
        assertThat(target).as("%s in %s", link.group(), document).exists();
        String heading = link.group(2);
        if (heading != null && target.toString().endsWith(".md")) {
          assertThat(headings(target)).as("%s in %s", link.group(), document).contains(heading);
        }
        links++;
      }
    }
    assertThat(links).isGreaterThan(100);
  }

  /** As links name them. */
  private static List<String> headings(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .toList();
  }
}
