package io.filament.sink.s3.internal.store;

import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps keys out of texts that others wrote: a store may repeat in an answer what it was sent. */
final class Secrets {

  /** Shorter ones, as {@code test}, are words of ordinary texts, and protect nothing. */
  private static final int LEAST_LENGTH = 8;

  private final List<String> secrets;

  private Secrets(List<String> secrets) {
    this.secrets = secrets;
  }

  static Secrets of(Optional<Credentials> credentials) {
    return new Secrets(
        credentials.stream()
            .flatMap(known -> known.secrets().stream())
            .filter(secret -> secret.length() >= LEAST_LENGTH)
            .toList());
  }

  /** Returns the text with each secret masked. */
  String mask(String text) {
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, "***");
    }
    return masked;
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
    return !text.equals(mask(text)) || shows(failure.getCause());
  }
}
