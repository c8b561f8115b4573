package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.object.FirstFailure;
import io.filament.sink.s3.internal.object.ObjectSpec;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.PartLimits;
import io.filament.sink.s3.internal.object.RequestPool;
import io.filament.sink.s3.internal.object.RunEvents;
import io.filament.sink.s3.internal.object.UploadContext;
import io.filament.sink.s3.internal.object.Waits;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ResourceWriterTest {

  private static final Schema SCHEMA = Schema.builder().required("id", FieldType.INT64).build();
  private static final ObjectFormat FORMAT = new ObjectFormat(FileFormat.NDJSON, Compression.NONE);

  private final FirstFailure failure = new FirstFailure();
  private final RunMemory memory = new RunMemory(4 << 20, 0, System::nanoTime);

  /** Else the batch that waits for its turn runs into a broken encoder, and that is what shows. */
  @Test
  void aFailureIsKnownBeforeTheNextBatchHasItsTurn() throws IOException {
    ResourceWriter writer = writer();
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {null});
    RecordBatch bad = RecordBatch.ofRows("a", SCHEMA, rows);
    RecordBatch good =
        RecordBatch.ofRows("a", SCHEMA, Arrays.asList(new Object[][] {new Object[] {1L}}));

    assertThatThrownBy(() -> writer.write(bad, new Waits(), () -> {}))
        .isInstanceOf(InvalidRecordException.class);
    assertThat(failure.first())
        .isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("resource \"a\", row 0, field \"id\"");
    assertThatThrownBy(() -> writer.write(good, new Waits(), this::throwFirst))
        .isSameAs(failure.first());
  }

  /** Nothing else would wake it: who is in the way here never comes to its memory. */
  @Test
  @Timeout(60)
  void aShortageThatFoundTheTurnTakenGoesOnWhenItIsGivenAway() throws Exception {
    ResourceWriter writer = writer();
    RecordBatch batch =
        RecordBatch.ofRows("a", SCHEMA, Arrays.asList(new Object[][] {new Object[] {1L}}));
    writer.write(batch, new Waits(), () -> {});
    ResourceMemory other = memory.open(() -> "b", 0, 0);
    AtomicReference<CompletableFuture<Void>> reserved = new AtomicReference<>();

    assertThatThrownBy(
            () ->
                writer.write(
                    batch,
                    new Waits(),
                    () -> {
                      reserved.set(CompletableFuture.runAsync(() -> reserveMoreThanIsLeft(other)));
                      awaitShortage(reserved.get());
                      throw new IOException("the run has failed");
                    }))
        .hasMessage("the run has failed");

    reserved.get().get();
    assertThat(memory.heldBytes()).isEqualTo(memory.limitBytes());
  }

  private void awaitShortage(CompletableFuture<Void> reserved) {
    while (memory.waitCount() == 0 && !reserved.isDone()) {
      Thread.onSpinWait();
    }
  }

  private void reserveMoreThanIsLeft(ResourceMemory resource) {
    try {
      resource.enter();
      resource.reserve(memory.limitBytes() - memory.heldBytes() + 1);
      resource.reserve(memory.limitBytes() - memory.heldBytes());
      resource.leave();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void throwFirst() throws IOException {
    if (failure.first() instanceof IOException e) {
      throw e;
    }
  }

  private ResourceWriter writer() throws IOException {
    ObjectSpec spec =
        new ObjectSpec(
            "a",
            SCHEMA,
            FORMAT,
            "p/a/r.ndjson",
            new ObjectHeaders("application/x-ndjson", Optional.empty(), Map.of()));
    UploadContext context =
        UploadContext.of(
            memory,
            1,
            InMemoryObjectStore.withPartsOfAtLeast("bucket", 8),
            new RequestPool(1),
            failure,
            RunEvents.none());
    return new ResourceWriter(
        ObjectWriter.open(spec, PartLimits.ofPartSize(64), context), "s3://bucket/a", context);
  }
}
