package io.filament.sink.s3;

import io.filament.sink.ConfigField;
import io.filament.sink.ConfigField.Condition;
import io.filament.sink.ConfigField.Scope;
import java.util.List;

/** The settings of requests and stored objects in S3's own words. Part of {@link Settings}. */
final class ObjectSettings {

  static final String NONE = "none";

  static final ConfigField EXPECTED_BUCKET_OWNER =
      ConfigField.builder("expected_bucket_owner", ConfigField.Type.STRING, Scope.CONNECTION)
          .help(
              "The 12 digits of the account that must own the bucket; if another does, S3 refuses every"
                  + " request.")
          .build();

  static final ConfigField REQUEST_PAYER =
      ConfigField.builder("request_payer", ConfigField.Type.ENUM, Scope.CONNECTION)
          .allowedValues(List.of(NONE, "requester"))
          .defaultValue(NONE)
          .help("requester says that who writes pays for it, which requester-pays buckets ask for.")
          .build();

  static final ConfigField SERVER_SIDE_ENCRYPTION =
      ConfigField.builder("server_side_encryption", ConfigField.Type.ENUM, Scope.CONNECTION)
          .allowedValues(List.of(NONE, "AES256", "aws:kms", "aws:kms:dsse"))
          .defaultValue(NONE)
          .help(
              "How the store is asked to encrypt objects. none asks for nothing, so that the bucket's"
                  + " default applies.")
          .build();

  static final ConfigField KMS_KEY_ID =
      ConfigField.builder("kms_key_id", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(Condition.hasValue(SERVER_SIDE_ENCRYPTION.name(), "aws:kms", "aws:kms:dsse"))
          .help(
              "The id, the ARN or the alias of the KMS key. Without one, or with a blank one, the"
                  + " bucket's key, or else AWS's own for S3.")
          .build();

  static final ConfigField SSE_CUSTOMER_KEY =
      ConfigField.builder("sse_customer_key", ConfigField.Type.SECRET, Scope.CONNECTION)
          .visibleWhen(Condition.hasValue(SERVER_SIDE_ENCRYPTION.name(), NONE))
          .help(
              "A key that the store encrypts with and forgets (SSE-C): the Base64 of 32 bytes. Who loses"
                  + " it loses the objects.")
          .build();

  static final ConfigField CONTENT_ENCODING =
      ConfigField.builder("content_encoding", ConfigField.Type.ENUM, Scope.PIPELINE)
          .allowedValues(Settings.labels(ContentEncoding.values(), ContentEncoding::label))
          .defaultValue(ContentEncoding.AUTO.label())
          .help(
              "Whether compressed JSON objects have a Content-Encoding: with auto, HTTP clients decompress"
                  + " them; with none they are files that happen to be compressed. The bytes are the same.")
          .build();

  static final ConfigField STORAGE_CLASS =
      ConfigField.builder("storage_class", ConfigField.Type.ENUM, Scope.PIPELINE)
          .allowedValues(
              List.of(
                  "STANDARD",
                  "REDUCED_REDUNDANCY",
                  "STANDARD_IA",
                  "ONEZONE_IA",
                  "INTELLIGENT_TIERING",
                  "GLACIER",
                  "DEEP_ARCHIVE",
                  "OUTPOSTS",
                  "GLACIER_IR",
                  "SNOW",
                  "EXPRESS_ONEZONE",
                  "FSX_OPENZFS",
                  "FSX_ONTAP",
                  "AWS_BACKUP_WARM",
                  "AWS_BACKUP_LOW_COST_WARM"))
          .help(
              "The storage class of all objects of a run, its manifest among them. If it is not set, the"
                  + " store's default.")
          .build();

  static final ConfigField ACL =
      ConfigField.builder("acl", ConfigField.Type.ENUM, Scope.PIPELINE)
          .allowedValues(
              List.of(
                  "private",
                  "public-read",
                  "public-read-write",
                  "authenticated-read",
                  "aws-exec-read",
                  "bucket-owner-read",
                  "bucket-owner-full-control"))
          .help(
              "The canned ACL of all objects of a run. Buckets whose objects belong to the bucket's owner"
                  + " take only bucket-owner-full-control.")
          .build();

  static final ConfigField OBJECT_TAGS =
      ConfigField.builder("object_tags", ConfigField.Type.STRING, Scope.PIPELINE)
          .help("The tags of all objects of a run, as team=data,stage=raw: at most 10.")
          .build();

  static final ConfigField METADATA =
      ConfigField.builder("metadata", ConfigField.Type.STRING, Scope.PIPELINE)
          .help(
              "User metadata of all objects of a run, as source=crm,owner=data-team. Names that begin"
                  + " with filament- are the sink's own.")
          .build();

  private ObjectSettings() {}
}
