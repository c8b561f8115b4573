package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/** A bucket behind the store's port, whose calls fail. */
final class ChaosMemory implements ChaosStore {

  private static final String BUCKET = "chaos-bucket";
  private static final ObjectHeaders HEADERS =
      new ObjectHeaders("text/plain", Optional.empty(), Map.of());

  private final ChaosPlan plan;
  private final InMemoryObjectStore memory;
  private final FaultyObjectStore store;

  ChaosMemory(ChaosPlan plan) {
    this.plan = plan;
    this.memory = InMemoryObjectStore.withPartsOfAtLeast(BUCKET, plan.partSize());
    this.store = new FaultyObjectStore(memory);
  }

  @Override
  public ObjectStore port() {
    return store;
  }

  @Override
  public void putNeighbour(String key, byte[] content) throws IOException {
    memory.put(
        key,
        new Body(() -> new ByteArrayInputStream(content), content.length, Crc32c.of(content)),
        HEADERS,
        Condition.ALWAYS);
  }

  @Override
  public void startNeighbour(String key) throws IOException {
    memory.start(key, HEADERS);
  }

  @Override
  public void plan() {
    plan.faults().forEach(fault -> fault.plan(store, memory));
  }

  @Override
  public Hang hang(ChaosPlan.Disturbance planned) {
    FaultyObjectStore.Hang hang =
        planned.answer()
            ? store.hangAnswer(planned.operation(), planned.nth())
            : store.hang(planned.operation(), planned.nth());
    return new Hang() {
      @Override
      public void awaitReached() throws InterruptedException {
        hang.awaitReached();
      }

      @Override
      public boolean isReached() {
        return hang.isReached();
      }

      @Override
      public void release() {
        hang.release();
      }
    };
  }

  @Override
  public void deliverDelayed() throws IOException {
    store.deliverDelayed();
  }

  @Override
  public void heal() {
    store.heal();
  }

  @Override
  public int struck() {
    return store.struck();
  }

  @Override
  public String bucket() {
    return BUCKET;
  }

  @Override
  public SortedSet<String> keys() {
    return memory.keys();
  }

  @Override
  public byte[] content(String key) {
    return memory.content(key);
  }

  @Override
  public List<Upload> openUploads() {
    return memory.openUploads();
  }

  /** An upload whose start is not answered is the port's own matter. */
  @Override
  public boolean isStruckBelow(String prefix) {
    return false; // no plan has faults there
  }

  @Override
  public boolean isUntold(Upload upload) {
    return false;
  }
}
