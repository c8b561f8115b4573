package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.testing.Call;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The store in memory keeps the promises that the real ones keep, at every level. */
@ParameterizedClass(name = "{0}")
@EnumSource(ChecksumLevel.class)
class InMemoryObjectStoreTest extends ObjectStoreContractTest {

  @Parameter ChecksumLevel level;

  private InMemoryObjectStore store;

  @BeforeEach
  void open() {
    store = InMemoryObjectStore.withPartsOfAtLeast("bucket", 8, level);
  }

  @Override
  ChecksumLevel level() {
    return level;
  }

  @Override
  ObjectStore store() {
    return store;
  }

  @Override
  byte[] read(String key) {
    return store.content(key);
  }

  @Override
  int leastPartBytes() {
    return 8;
  }

  @Override
  boolean checksPuts() {
    return true;
  }

  @Override
  boolean putsAtomically() {
    return true;
  }

  @Test
  void callsAreRecordedInTheirOrder() throws IOException {
    byte[] content = "content".getBytes(UTF_8);
    Body body = new Body(() -> new ByteArrayInputStream(content), 7, Crc32c.of(content));
    ObjectHeaders headers = new ObjectHeaders("text/plain", Optional.empty(), Map.of());

    Upload upload = store.start("a", headers);
    StagedPart part = store.part(upload, 1, body);
    store.complete(upload, List.of(part), Crc32c.of(content), Condition.ALWAYS);
    store.put("b", body, headers, Condition.ABSENT);

    assertThat(store.calls())
        .containsExactly(
            new Call(Operation.START, "a"),
            new Call(Operation.PART, "a", 1),
            new Call(Operation.COMPLETE, "a"),
            new Call(Operation.PUT, "b"));
    assertThat(store.partLengths("a")).containsExactly(7L);
    assertThat(store.keys()).containsExactly("a", "b");
    assertThat(store.openUploads()).isEmpty();
  }
}
