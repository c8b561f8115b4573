package io.filament.sink.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links in the documentation lead somewhere, and the classes that it names exist. */
class DocumentationTest {

  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\b(?:[A-Z][a-z0-9]+){2,}\\b|\\bS3[A-Z][A-Za-z]+\\b");
  private static final Set<String> OF_OTHERS =
      Set.of("ArchUnit", "OutputStream", "PutObject", "S3Client");

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
    try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsToAPageAndASection(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    for (MatchResult link : LINK.matcher(text).results().toList()) {
      Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
      if (!Files.exists(target)) {
        broken.add(link.group());
      } else if (link.group(2) != null && !sections(target).contains(link.group(2))) {
        broken.add(link.group());
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageIsListed() throws IOException {
    Path list = Path.of("docs/README.md");
    Set<Path> listed =
        LINK.matcher(Files.readString(list))
            .results()
            .map(link -> list.resolveSibling(link.group(1)).normalize())
            .collect(Collectors.toSet());
    listed.addAll(List.of(list, Path.of("README.md")));

    assertThat(pages()).isSubsetOf(listed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/architecture.md"})
  void everyClassThatIsNamedExists(Path page) throws IOException {
    Set<String> named =
        CLASS_NAME
            .matcher(Files.readString(page))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    named.removeAll(OF_OTHERS);
    assertThat(named).contains("ObjectWriter", "RequestPool");
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      assertThat(sources.map(file -> file.getFileName().toString().replace(".java", "")))
          .containsAll(named);
    }
  }

  /** Returns the names that GitHub gives a page's headings. */
  private static Set<String> sections(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
