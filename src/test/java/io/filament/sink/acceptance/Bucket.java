package io.filament.sink.acceptance;

import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.testing.S3Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A fresh bucket, and what a reader with a client of its own sees in it. */
final class Bucket implements AutoCloseable {

  private final S3Endpoint endpoint;
  private final S3Client reader;
  private final String name;

  private Bucket(S3Endpoint endpoint) {
    this.endpoint = endpoint;
    this.reader = endpoint.client();
    this.name = S3Endpoint.createBucket(reader);
  }

  static Bucket on(S3Endpoint endpoint) {
    return new Bucket(endpoint);
  }

  String name() {
    return name;
  }

  /** Returns a client as a host would bring it; the caller closes it. */
  S3Client hostClient(ExecutionInterceptor... interceptors) {
    return S3Client.builder()
        .endpointOverride(endpoint.uri())
        .region(Region.of(endpoint.region()))
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey())))
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
        .overrideConfiguration(override -> override.executionInterceptors(List.of(interceptors)))
        .build();
  }

  /** Returns the settings of a sink that writes here, and these (name, value, name, value). */
  Map<String, Object> settings(Object... namesAndValues) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("bucket", name);
    settings.put("region", endpoint.region());
    settings.put("endpoint", endpoint.uri().toString());
    settings.put("auth_method", "iam_credentials");
    settings.put("access_key_id", endpoint.accessKey());
    settings.put("secret_access_key", endpoint.secretKey());
    for (int i = 0; i < namesAndValues.length; i += 2) {
      settings.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return settings;
  }

  /** Returns a sink that writes here, with these settings (name, value, name, value). */
  Sink sink(Object... namesAndValues) {
    return S3Sink.create(settings(namesAndValues));
  }

  /** Returns all keys in the order of the store, byte for byte as it lists them. */
  List<String> keys() {
    return reader.listObjectsV2Paginator(request -> request.bucket(name)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  /** Returns the keys of the unfinished uploads. */
  List<String> uploads() {
    return reader.listMultipartUploads(request -> request.bucket(name)).uploads().stream()
        .map(MultipartUpload::key)
        .toList();
  }

  /** Returns the bytes as they are stored: no Content-Encoding is undone. */
  byte[] bytes(String key) {
    return reader.getObjectAsBytes(request -> request.bucket(name).key(key)).asByteArray();
  }

  /** Returns a manifest's members. */
  Map<String, Object> manifest(String key) {
    return Json.object(Json.utf8(bytes(key)));
  }

  /** Returns what a manifest says of each object. */
  List<Map<String, Object>> manifestEntries(String key) {
    return Json.objects(manifest(key).get("resources"));
  }

  HeadObjectResponse head(String key) {
    return reader.headObject(request -> request.bucket(name).key(key));
  }

  /** Starts an upload, as another program would, and leaves it open. */
  void startForeignUpload(String key) {
    reader.createMultipartUpload(request -> request.bucket(name).key(key));
  }

  void put(String key, byte[] content) {
    reader.putObject(request -> request.bucket(name).key(key), RequestBody.fromBytes(content));
  }

  /** Deletes all objects and gives up all uploads. */
  void clear() {
    for (MultipartUpload upload :
        reader.listMultipartUploads(request -> request.bucket(name)).uploads()) {
      reader.abortMultipartUpload(
          request -> request.bucket(name).key(upload.key()).uploadId(upload.uploadId()));
    }
    keys().forEach(key -> reader.deleteObject(request -> request.bucket(name).key(key)));
  }

  @Override
  public void close() {
    clear();
    try {
      reader.deleteBucket(request -> request.bucket(name));
    } catch (S3Exception e) {
      // S3Proxy keeps a part that arrives while its upload is given up, and lists it nowhere.
      if (e.statusCode() != 409) {
        throw e;
      }
    } finally {
      reader.close();
    }
  }
}
