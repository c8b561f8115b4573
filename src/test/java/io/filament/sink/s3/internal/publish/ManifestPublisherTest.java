package io.filament.sink.s3.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.IntegrityException;
import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manifest is published only if the store has it, as it was written. */
@Timeout(30)
class ManifestPublisherTest {

  private static final String KEY = "p/_runs/r/_SUCCESS.json";
  private static final byte[] JSON = "{\"version\":1}".getBytes(StandardCharsets.UTF_8);

  private final InMemoryObjectStore memory = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1);
  private final FaultyObjectStore store = new FaultyObjectStore(memory);
  private final ManifestPublisher publisher = publisher(store);

  private static ManifestPublisher publisher(ObjectStore store) {
    return new ManifestPublisher(
        store,
        new Attempt("r", "token", Optional.empty(), Optional.empty()),
        KEY,
        new Body(() -> new ByteArrayInputStream(JSON), JSON.length, Crc32c.of(JSON)));
  }

  @Test
  void aManifestThatTheStoreForgetsIsNotPublished() {
    store.forget(Operation.PUT_MANIFEST, 1);

    assertThatThrownBy(publisher::publish)
        .isInstanceOf(IntegrityException.class)
        .hasMessage(
            "HeadObject s3://bucket/p/_runs/r/_SUCCESS.json: the store took the object and doesn't have it");
  }

  @Test
  void aManifestThatTheStoreChangesIsNotPublished() {
    store.spoil(Operation.PUT_MANIFEST, 1, memory::corrupt);

    assertThatThrownBy(publisher::publish)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(
            "HeadObject s3://bucket/p/_runs/r/_SUCCESS.json: the store has the CRC-32C");
  }

  @Test
  void aStoreThatLetsNobodyLookIsBelieved() throws IOException {
    store.refuse(Operation.HEAD, 1, new Answer(403, "AccessDenied", null));

    publisher.publish();

    assertThat(memory.content(KEY)).isEqualTo(JSON);
  }

  @Test
  void onlyTheFirstPutIsPatient() {
    AtomicInteger patientPuts = new AtomicInteger();
    ObjectStore patient =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("put")) {
                    patientPuts.incrementAndGet();
                  }
                  try {
                    return method.invoke(store, arguments); // hurried() gives the store itself
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    store.failFrom(Operation.PUT_MANIFEST, 1);

    assertThatThrownBy(publisher(patient)::publish).isInstanceOf(StoreException.class);

    assertThat(store.count(Operation.PUT_MANIFEST)).isEqualTo(3);
    assertThat(patientPuts).hasValue(1);
  }

  @Test
  void aConditionThatFailsWhereNothingIsEndsTheCommit() {
    store.refuseFrom(Operation.PUT_MANIFEST, 1, new Answer(412, "PreconditionFailed", null));

    assertThatThrownBy(publisher::publish)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.statusCode()).isEqualTo(412))
        .hasMessageContaining("PutObject s3://bucket/p/_runs/r/_SUCCESS.json");
    assertThat(store.count(Operation.PUT_MANIFEST)).isEqualTo(3);
  }
}
