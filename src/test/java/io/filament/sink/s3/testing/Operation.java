package io.filament.sink.s3.testing;

/** The operations of an {@code ObjectStore}. */
public enum Operation {
  PUT("PutObject"),
  PUT_MANIFEST("PutObject"),
  START("CreateMultipartUpload"),
  PART("UploadPart"),
  COMPLETE("CompleteMultipartUpload"),
  ABORT("AbortMultipartUpload"),
  HEAD("HeadObject"),
  UPLOADS("ListMultipartUploads");

  private final String s3Name;

  Operation(String s3Name) {
    this.s3Name = s3Name;
  }

  /** Returns which of the two puts one at this key is. */
  static Operation put(String key) {
    return key.endsWith("_SUCCESS.json") ? PUT_MANIFEST : PUT;
  }

  /** Returns S3's name of the operation, as exceptions give it. */
  public String s3Name() {
    return s3Name;
  }
}
