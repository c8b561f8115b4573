package io.filament.sink.s3.internal.store;

/** How a store can be made to check what it gets, and to show what it has. */
public enum ChecksumLevel {
  /** It checks the CRC-32C of each part and of the whole object, and keeps the latter. */
  FULL_OBJECT,
  /** It checks the CRC-32C of each part and keeps one of the parts' checksums. */
  COMPOSITE,
  /** It knows no CRC-32C; {@code Content-MD5} and ETags take its place. */
  NONE
}
