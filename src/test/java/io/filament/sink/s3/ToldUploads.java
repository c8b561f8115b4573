package io.filament.sink.s3;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoreProfile;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The store that is current, and notes of the uploads that a sink was told of. */
record ToldUploads(Supplier<ObjectStore> current, Consumer<Upload> told) implements ObjectStore {

  @Override
  public String bucket() {
    return current.get().bucket();
  }

  @Override
  public ObjectStore hurried() {
    return new ToldUploads(() -> current.get().hurried(), told);
  }

  @Override
  public Optional<Instant> time() {
    return current.get().time();
  }

  @Override
  public StoreProfile profile() throws IOException {
    return current.get().profile();
  }

  @Override
  public Optional<SinkException> findConditions(String key) throws IOException {
    return current.get().findConditions(key);
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    current.get().put(key, body, headers, condition);
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    Upload upload = current.get().start(key, headers);
    told.accept(upload);
    return upload;
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    return current.get().part(upload, number, body);
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException {
    current.get().complete(upload, parts, whole, condition);
  }

  @Override
  public void abort(Upload upload) throws IOException {
    current.get().abort(upload);
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    return current.get().head(key);
  }

  @Override
  public List<Upload> uploads(String key) throws IOException {
    return current.get().uploads(key);
  }
}
