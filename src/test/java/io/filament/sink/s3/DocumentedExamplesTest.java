package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in Java that a host's developer copies can be compiled. */
class DocumentedExamplesTest {

  private static final List<String> PAGES =
      List.of(
          "README.md",
          "docs/arrow.md",
          "docs/commit-protocol-and-failures.md",
          "docs/configuration.md",
          "docs/formats-and-types.md",
          "docs/listening.md",
          "docs/operations.md");

  private static final String IMPORTS =
      """
      import io.filament.sink.*;
      import io.filament.sink.arrow.*;
      import io.filament.sink.micrometer.*;
      import io.filament.sink.s3.*;
      import io.micrometer.core.instrument.*;
      import java.io.*;
      import java.math.BigDecimal;
      import java.nio.charset.StandardCharsets;
      import java.time.*;
      import java.util.*;
      import org.apache.arrow.vector.*;
      import org.apache.arrow.vector.ipc.ArrowReader;
      import org.slf4j.Logger;
      import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
      import software.amazon.awssdk.core.checksums.*;
      import software.amazon.awssdk.http.apache5.Apache5HttpClient;
      import software.amazon.awssdk.regions.Region;
      import software.amazon.awssdk.services.s3.*;
      """;

  /** What the pages say of names that an example does not declare; its own come first. */
  private static final String NAMES =
      """
      Map<String, Object> config;
      Instant startedAt;
      Schema accounts;
      Sink sink;
      S3Client client;
      String runId;
      Logger log;
      MeterRegistry registry;
      """;

  @TempDir Path directory;

  @Test
  void examplesCompile() throws IOException {
    List<JavaFileObject> examples = new ArrayList<>();
    for (String page : PAGES) {
      List<JavaFileObject> ofPage = examples(page);
      assertThat(ofPage).as(page).isNotEmpty();
      examples.addAll(ofPage);
    }

    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                errors,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-nowarn",
                    "-d",
                    directory.toString(),
                    "-cp",
                    System.getProperty("java.class.path")),
                null,
                examples)
            .call();

    assertThat(compiled).as(errors.toString()).isTrue();
  }

  private static List<JavaFileObject> examples(String page) throws IOException {
    List<JavaFileObject> examples = new ArrayList<>();
    List<String> lines = Files.readAllLines(Path.of(page));
    for (int begin = lines.indexOf("```java"); begin >= 0; ) {
      List<String> rest = lines.subList(begin + 1, lines.size());
      int end = rest.indexOf("```");
      examples.add(example(page, examples.size() + 1, String.join("\n", rest.subList(0, end))));
      lines = rest.subList(end + 1, rest.size());
      begin = lines.indexOf("```java");
    }
    return examples;
  }

  private static JavaFileObject example(String page, int number, String code) {
    String name = page.replaceAll("\\.md$", "").replaceAll("[^A-Za-z]", "_") + "_" + number;
    boolean isMethod = code.startsWith("static ");
    String body =
        isMethod
            ? code
            : "Object example() throws Exception {\nif (true) {\n" + code + "\n}\nreturn null;\n}";
    String source = IMPORTS + "class " + name + " {\n" + NAMES + body + "\n}\n";
    return new SimpleJavaFileObject(
        URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }
}
