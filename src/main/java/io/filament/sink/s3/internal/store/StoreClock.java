package io.filament.sink.s3.internal.store;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Remembers the time that the store's answers carry. Any thread may call. */
final class StoreClock {

  private final AtomicReference<@Nullable Instant> latest = new AtomicReference<>();

  Optional<Instant> time() {
    return Optional.ofNullable(latest.get());
  }

  void hear(@Nullable SdkHttpResponse answer) {
    if (answer != null) {
      answer.firstMatchingHeader("Date").ifPresent(this::hear);
    }
  }

  void hear(RuntimeException failure) {
    if (failure instanceof AwsServiceException refusal) {
      StoreErrors.header(refusal, "Date").ifPresent(this::hear);
    }
  }

  private void hear(String date) {
    try {
      latest.set(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      // A clock that can't be read tells nothing.
    }
  }
}
