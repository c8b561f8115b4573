package io.filament.sink.s3.testing;

import java.util.Map;

/** The operations that {@link FaultServer} knows, as S3 names them. */
public enum S3Operation {
  CREATE_BUCKET,
  DELETE_BUCKET,
  HEAD_BUCKET,
  GET_BUCKET_LIFECYCLE_CONFIGURATION,
  LIST_OBJECTS_V2,
  LIST_MULTIPART_UPLOADS,
  LIST_PARTS,
  PUT_OBJECT,
  GET_OBJECT,
  HEAD_OBJECT,
  DELETE_OBJECT,
  CREATE_MULTIPART_UPLOAD,
  UPLOAD_PART,
  COMPLETE_MULTIPART_UPLOAD,
  ABORT_MULTIPART_UPLOAD,
  /** Anything else; it is answered with 501. */
  UNKNOWN;

  /** Tells the operation from method and query (S3 API, request syntax of each operation). */
  static S3Operation of(String method, String key, Map<String, String> query) {
    return key.isEmpty() ? ofBucket(method, query) : ofObject(method, query);
  }

  private static S3Operation ofBucket(String method, Map<String, String> query) {
    return switch (method) {
      case "PUT" -> CREATE_BUCKET;
      case "DELETE" -> DELETE_BUCKET;
      case "HEAD" -> HEAD_BUCKET;
      case "GET" -> {
        if (query.containsKey("lifecycle")) {
          yield GET_BUCKET_LIFECYCLE_CONFIGURATION;
        }
        if (query.containsKey("uploads")) {
          yield LIST_MULTIPART_UPLOADS;
        }
        yield "2".equals(query.get("list-type")) ? LIST_OBJECTS_V2 : UNKNOWN;
      }
      default -> UNKNOWN;
    };
  }

  private static S3Operation ofObject(String method, Map<String, String> query) {
    boolean ofUpload = query.containsKey("uploadId");
    return switch (method) {
      case "PUT" -> ofUpload ? UPLOAD_PART : PUT_OBJECT;
      case "GET" -> ofUpload ? LIST_PARTS : GET_OBJECT;
      case "HEAD" -> HEAD_OBJECT;
      case "DELETE" -> ofUpload ? ABORT_MULTIPART_UPLOAD : DELETE_OBJECT;
      case "POST" -> {
        if (query.containsKey("uploads")) {
          yield CREATE_MULTIPART_UPLOAD;
        }
        yield ofUpload ? COMPLETE_MULTIPART_UPLOAD : UNKNOWN;
      }
      default -> UNKNOWN;
    };
  }
}
