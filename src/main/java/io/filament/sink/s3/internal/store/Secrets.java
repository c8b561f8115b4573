package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps keys out of texts that others wrote: a store may repeat in an answer what it was sent. Any
 * thread may call.
 */
final class Secrets {

  /** Shorter ones, as {@code test}, are words of ordinary texts, and protect nothing. */
  private static final int LEAST_LENGTH = 8;

  /** Enough for a request to fail that was signed before the last renewals. */
  private static final int MOST_RENEWED = 64;

  private static final String MASK = "***";

  private final List<String> fixed;
  private final CopyOnWriteArrayList<String> renewed;

  private Secrets(Stream<String> fixed, CopyOnWriteArrayList<String> renewed) {
    this.fixed = fixed.filter(Secrets::isWorthMasking).toList();
    this.renewed = renewed;
  }

  static Secrets none() {
    return new Secrets(Stream.of(), new CopyOnWriteArrayList<>());
  }

  /** Returns those of a client. */
  static Secrets of(ClientSettings settings) {
    return new Secrets(
        Stream.concat(
            settings.credentials().stream().flatMap(known -> known.secrets().stream()),
            Proxies.of(settings.route()).secrets()),
        new CopyOnWriteArrayList<>());
  }

  /** Returns these and those of the requests. What is learnt, both learn. */
  Secrets and(ObjectOptions options) {
    return and(options.encryption().customerKey().stream().flatMap(key -> key.secrets().stream()));
  }

  /** Returns these and others. What is learnt, both learn. */
  Secrets and(Stream<String> others) {
    return new Secrets(Stream.concat(fixed.stream(), others), renewed);
  }

  /** Adds secrets that were given out meanwhile, and forgets the oldest of these in the end. */
  void learn(Collection<String> secrets) {
    for (String secret : secrets) {
      if (isWorthMasking(secret) && renewed.addIfAbsent(secret) && renewed.size() > MOST_RENEWED) {
        renewed.remove(0);
      }
    }
  }

  /** Returns the text with each secret masked; a secret that holds another one as a whole. */
  String mask(String text) {
    List<String> shown =
        Stream.concat(fixed.stream(), renewed.stream())
            .filter(text::contains)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
    String masked = text;
    for (String secret : shown) {
      masked = masked.replace(secret, MASK);
    }
    return masked;
  }

  /** Returns the failure, or one with the same words if they hold a secret. */
  IOException mask(IOException failure) {
    if (!shows(failure)) {
      return failure;
    }
    IOException masked = new IOException(mask(failure.toString()));
    masked.setStackTrace(failure.getStackTrace());
    return masked;
  }

  /** Returns the length of the longest one. */
  int longest() {
    return Stream.concat(fixed.stream(), renewed.stream()).mapToInt(String::length).max().orElse(0);
  }

  /** Returns the failure, or, if a text of it holds a secret, one that stands for it. */
  Throwable mask(Throwable failure) {
    if (!shows(failure)) {
      return failure;
    }
    Throwable masked = new IllegalStateException(mask(String.valueOf(failure.getMessage())));
    masked.setStackTrace(failure.getStackTrace());
    return masked;
  }

  private boolean shows(@Nullable Throwable failure) {
    if (failure == null) {
      return false;
    }
    String text = failure.toString();
    return !text.equals(mask(text))
        || shows(failure.getCause())
        || Stream.of(failure.getSuppressed()).anyMatch(this::shows);
  }

  private static boolean isWorthMasking(String secret) {
    return secret.length() >= LEAST_LENGTH;
  }
}
