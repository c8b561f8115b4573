package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.assertProblem;
import static io.filament.sink.s3.Configs.read;
import static io.filament.sink.s3.Configs.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.InvalidConfigException.Problem;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:9000",
        "https://s3.example.com",
        "https://s3.example.com/",
        "HTTPS://S3.example.com",
        "http://[::1]:9000",
        "http://127.0.0.1:65535",
        "https://project.example.com/storage/v1/s3",
      })
  void endpointsAreTaken(String endpoint) {
    assertThat(read("endpoint", endpoint).endpoint()).contains(URI.create(endpoint));
  }

  @ParameterizedTest
  @CsvSource({
    "'',must begin with http:// or https://",
    "localhost,must begin with http:// or https://",
    "localhost:9000,must begin with http:// or https://",
    "s3.example.com:443,must begin with http:// or https://",
    "//s3.example.com,must begin with http:// or https://",
    "ftp://s3.example.com,must begin with http:// or https://",
    "s3://bucket,must begin with http:// or https://",
    "http:,must be a URL",
    "http:///path,must have a host",
    "http:9000,must have a host",
    "http://minio_store:9000,must have a host",
    "http://exämple.com,must have a host",
    "https://s3 .example.com,must be a URL",
    "' https://s3.example.com',must be a URL",
    "'https://s3.example.com\n',must be a URL",
    "http://localhost:0,must have a port of 1 to 65535",
    "http://localhost:65536,must have a port of 1 to 65535",
    "http://localhost:99999999999,must have a host",
    "http://user@localhost,'must not hold \"@\"'",
    "http://localhost?x=1,must have no query and no fragment",
    "http://localhost/#x,must have no query and no fragment",
  })
  void otherEndpointsAreRefused(String endpoint, String problem) {
    assertThat(refusal(Map.of("bucket", "lake", "endpoint", endpoint)).problems())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.field()).isEqualTo("endpoint");
              assertThat(found.message()).startsWith(problem);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"us-east-1", "eu-central-1", "us-gov-west-1", "us-isob-east-1", "aws-global"})
  void regionsOfAwsAreTaken(String region) {
    assertThat(read("region", region).region()).contains(region);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "us east 1",
        "US-EAST-1",
        "us_east_1",
        "-us",
        "us-",
        "us--east",
        "us/east",
        "us.east",
        "ü"
      })
  void otherRegionsAreRefused(String region) {
    assertProblem(
        "region",
        region,
        "must be a region of AWS, as eu-central-1 (at most 63 characters): \"" + region + "\"");
  }

  @Test
  void otherStoresHaveRegionsOfTheirOwn() {
    for (String region : List.of("auto", "default", "RegionOne", "us_east.1")) {
      assertThat(S3SinkConfig.fromMap(withEndpoint(region)).region()).contains(region);
    }
    for (String region : List.of("", "a b", "a/b", "_a", "a".repeat(64))) {
      assertThat(refusal(withEndpoint(region)).problems())
          .extracting(Problem::field)
          .containsExactly("region");
    }
  }

  @Test
  void wrongEndpointDoesNotBlameTheRegion() {
    assertThat(
            refusal(Map.of("bucket", "lake", "endpoint", 9000, "region", "RegionOne")).problems())
        .extracting(Problem::field)
        .containsExactly("endpoint");
  }

  private static Map<String, Object> withEndpoint(String region) {
    return Map.of("bucket", "lake", "endpoint", "http://localhost:9000", "region", region);
  }
}
