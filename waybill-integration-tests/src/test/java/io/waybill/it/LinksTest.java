package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between the documents of the repository lead to files and headings that there are. */
class LinksTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?![a-z]+:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

  @Test
  void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
    int links = 0;
    for (Path document : OwnFiles.matching(ROOT, ".*\\.md")) {
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
