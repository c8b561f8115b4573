package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class Crc32cTest {

  /** The check value of CRC-32C (RFC 3720, and every catalogue of CRCs): that of "123456789". */
  private static final Crc32c CHECK = new Crc32c(0xe3069283);

  @Test
  void checksumIsCastagnolis() {
    byte[] digits = "123456789".getBytes(US_ASCII);
    CRC32C crc = new CRC32C();
    crc.update(digits);

    assertThat(Crc32c.of(digits)).isEqualTo(CHECK);
    assertThat(Crc32c.of(crc)).isEqualTo(CHECK);
  }

  @Test
  void base64IsOfFourBigEndianBytes() {
    assertThat(CHECK.base64()).isEqualTo("4waSgw==");
    assertThat(new Crc32c(1).base64()).isEqualTo("AAAAAQ==");
    assertThat(Crc32c.fromBase64("4waSgw==")).isEqualTo(CHECK);
  }

  @Test
  void hexHasEightLowerCaseDigits() {
    assertThat(CHECK.hex()).isEqualTo("e3069283");
    assertThat(new Crc32c(0xa).hex()).isEqualTo("0000000a");
  }

  @Test
  void otherLengthIsRefused() {
    assertThatThrownBy(() -> Crc32c.fromBase64("AAAAAAA="))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a CRC-32C has 4 bytes, not 5: AAAAAAA=");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "4waSgw==-2", "AAAAAAA=", "no base64!"})
  void answerThatIsNoChecksumOfAWholeObjectIsNone(String answer) {
    assertThat(Crc32c.ofAnswer(answer)).isEmpty();
  }

  @Test
  void checksumsAreJoined() {
    Random random = new Random(7);
    for (int length : new int[] {0, 1, 2, 7, 8, 255, 256, 4_095, 65_537, 1 << 20}) {
      byte[] first = new byte[random.nextInt(100)];
      byte[] next = new byte[length];
      random.nextBytes(first);
      random.nextBytes(next);
      CRC32C whole = new CRC32C();
      whole.update(first);
      whole.update(next);

      assertThat(Crc32c.of(first).then(Crc32c.of(next), length)).isEqualTo(Crc32c.of(whole));
    }
    assertThat(Crc32c.EMPTY.then(CHECK, 9)).isEqualTo(CHECK);
    assertThat(CHECK.then(Crc32c.EMPTY, 0)).isEqualTo(CHECK);
  }

  @Test
  void answerIsRead() {
    assertThat(Crc32c.ofAnswer("4waSgw==")).hasValue(CHECK);
  }
}
