package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.read;
import static io.filament.sink.s3.Configs.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.InvalidConfigException.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNameTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "my.bucket-1",
        "1a2",
        "my-.bucket",
        "1.2.3",
        "1.2.3.4567",
        "x-s3",
        "a1234-an",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/my-ap",
        "arn:aws:s3:us-west-2:123456789012:accesspoint:my-ap",
        "arn:aws-us-gov:s3:us-gov-west-1:123456789012:accesspoint/my-ap",
        "arn:aws-cn:s3:cn-north-1:123456789012:accesspoint/my-ap",
        "arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap",
        "arn:aws:s3-outposts:us-west-2:123456789012:outpost/op-01ac5d28a6a232904/accesspoint/my-ap",
        "arn:aws:s3-outposts:us-west-2:123456789012:outpost:op-01ac5d28a6a232904:accesspoint:my-ap",
      })
  void bucketsAndAccessPointsAreTaken(String bucket) {
    assertThat(read("bucket", bucket).bucket()).isEqualTo(bucket);
  }

  @ParameterizedTest
  @CsvSource({
    "'',must have 3 to 63 characters",
    "ab,must have 3 to 63 characters",
    "Bucket,'must have only lower-case letters, digits'",
    "my_bucket,'must have only lower-case letters, digits'",
    "my bucket,'must have only lower-case letters, digits'",
    "bücket,'must have only lower-case letters, digits'",
    "my/bucket,'must have only lower-case letters, digits'",
    "s3://bucket,'must have only lower-case letters, digits'",
    "bucket٣,'must have only lower-case letters, digits'",
    "'bucket\n','must have only lower-case letters, digits'",
    "-bucket,must begin and end with a letter or digit",
    "bucket-,must begin and end with a letter or digit",
    ".bucket,must begin and end with a letter or digit",
    "bucket.,must begin and end with a letter or digit",
    "my..bucket,must not have two dots side by side",
    "192.168.5.4,must not look like an IP address",
    "999.999.999.999,must not look like an IP address",
    "xn--bucket,'must not begin with \"xn--\"'",
    "sthree-bucket,'must not begin with \"sthree-\"'",
    "sthree-configurator,'must not begin with \"sthree-\"'",
    "amzn-s3-demo-bucket,'must not begin with \"amzn-s3-demo-\"'",
    "bucket-s3alias,'must not end with \"-s3alias\"'",
    "bucket--ol-s3,'must not end with \"--ol-s3\"'",
    "bucket.mrap,'must not end with \".mrap\"'",
    "bucket--usw2-az1--x-s3,'must not end with \"--x-s3\"'",
    "bucket--table-s3,'must not end with \"--table-s3\"'",
  })
  void otherBucketsAreRefused(String bucket, String problem) {
    assertThat(refusal(Map.of("bucket", bucket)).problems())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.field()).isEqualTo("bucket");
              assertThat(found.message()).startsWith(problem);
            });
  }

  @Test
  void longestBucketHas63Characters() {
    assertThat(read("bucket", "b".repeat(63)).bucket()).hasSize(63);
    assertThat(refusal(Map.of("bucket", "b".repeat(64))).problems().get(0).message())
        .startsWith("must have 3 to 63 characters, not 64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "arn:",
        "arn:aws:s3:::bucket",
        "arn:aws:s3:us-west-2:123456789012:bucket/my-bucket",
        "arn:aws:s3:us-west-2:12345678901:accesspoint/my-ap",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/My-ap",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/my_ap",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/my-ap/object/key",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/-my-ap",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/ab",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/",
        "arn:aws:s3::123456789012:accesspoint/my-ap",
        "arn:aws:s3:us-west-2:123456789012:accesspoint/alias.mrap",
        "arn:aws:s3-object-lambda:us-west-2:123456789012:accesspoint/my-ap",
        "arn:aws:s3-outposts:us-west-2:123456789012:outpost/op-01ac5d28a6a232904/bucket/b",
        "arn:gcp:s3:us-west-2:123456789012:accesspoint/my-ap",
        "ARN:aws:s3:us-west-2:123456789012:accesspoint/my-ap",
      })
  void otherArnsAreRefused(String arn) {
    assertThat(refusal(Map.of("bucket", arn)).problems())
        .extracting(Problem::field)
        .containsExactly("bucket");
  }
}
