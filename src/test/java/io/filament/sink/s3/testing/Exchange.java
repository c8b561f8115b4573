package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One request and its answer, with all that goes wrong between. Used by one thread. */
final class Exchange {

  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final WireRequest head;
  private final @Nullable ServedBucket bucket;
  private final Line line;
  private final List<Fault> faults;

  /** What an exchange goes over. */
  record Line(InputStream in, OutputStream out, String requestId) {}

  /**
   * @param head the request, whose body is not read yet
   * @param bucket null if there is none
   */
  Exchange(WireRequest head, @Nullable ServedBucket bucket, Line line) {
    this.head = head;
    this.bucket = bucket;
    this.line = line;
    this.faults = bucket == null ? List.of() : bucket.begin(head);
  }

  /** Throws if the connection must be cut. */
  void run() throws IOException, InterruptedException {
    reach(Fault.Point.HEAD_READ);
    if (head.header("expect").isPresent()) {
      line.out().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII));
    }
    WireRequest request = head.withBody(body());
    reach(Fault.Point.REQUEST_READ);
    WireAnswer answer = answer(request);
    reach(Fault.Point.CARRIED_OUT);
    send(answer);
  }

  private byte[] body() throws IOException, InterruptedException {
    int length = head.length();
    byte[] body = new byte[length];
    int half = length / 2;
    read(body, 0, half);
    reach(Fault.Point.IN_BODY);
    read(body, half, length);
    return damaged(Fault.Damage.FLIPPED_ON_THE_WAY, body);
  }

  private void read(byte[] body, int from, int to) throws IOException, InterruptedException {
    int position = from;
    while (position < to) {
      int count = line.in().read(body, position, allowed(to - position));
      if (count < 0) {
        throw new EOFException("the body breaks off after " + position + " bytes");
      }
      position += count;
    }
  }

  private WireAnswer answer(WireRequest request) {
    Optional<WireAnswer> refusal = first(Fault.Refused.class).map(Fault.Refused::answer);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    if (bucket == null) {
      return WireAnswer.error(404, "NoSuchBucket", "The specified bucket does not exist");
    }
    if (first(Fault.Forgotten.class).isPresent()) {
      return bucket.pretend(request);
    }
    UnaryOperator<byte[]> damage =
        body -> damaged(Fault.Damage.SHORTENED, damaged(Fault.Damage.FLIPPED, body));
    WireAnswer answer = bucket.carryOut(request, damage);
    return first(Fault.Misreported.class).map(Fault.Misreported::answer).orElse(answer);
  }

  private void send(WireAnswer answer) throws IOException, InterruptedException {
    byte[] start = answer.head(HTTP_DATE.format(Instant.now()), line.requestId());
    byte[] body = head.method().equals("HEAD") ? new byte[0] : answer.body();
    byte[] all = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    int inHead = start.length / 2;
    int inBody = start.length + body.length / 2;
    int sent = 0;
    if (any(Fault.Point.IN_ANSWER_HEAD)) {
      sent = write(all, sent, inHead);
      reach(Fault.Point.IN_ANSWER_HEAD);
    }
    if (any(Fault.Point.IN_ANSWER_BODY)) {
      sent = write(all, sent, inBody);
      reach(Fault.Point.IN_ANSWER_BODY);
    }
    write(all, sent, all.length);
  }

  private int write(byte[] all, int from, int to) throws IOException, InterruptedException {
    int position = from;
    while (position < to) {
      int count = allowed(to - position);
      line.out().write(all, position, count);
      line.out().flush();
      position += count;
    }
    return to;
  }

  private int allowed(int wanted) throws InterruptedException {
    Optional<Fault.Slowed> slowed = first(Fault.Slowed.class);
    return slowed.isPresent() ? slowed.get().budget().take(wanted) : wanted;
  }

  private byte[] damaged(Fault.Damage damage, byte[] body) {
    if (faults.stream().noneMatch(fault -> fault.equals(new Fault.Damaged(damage)))) {
      return body;
    }
    if (damage == Fault.Damage.SHORTENED) {
      return Arrays.copyOf(body, body.length == 0 ? 1 : body.length - 1);
    }
    byte[] flipped = Arrays.copyOf(body, Math.max(1, body.length));
    flipped[flipped.length / 2] ^= 1;
    return flipped;
  }

  private void reach(Fault.Point point) throws IOException, InterruptedException {
    for (Fault fault : faults) {
      if (fault instanceof Fault.Stalled stalled && stalled.point() == point) {
        stalled.stall().hold();
      } else if (fault instanceof Fault.Cut cut && cut.point() == point) {
        throw new IOException("planned: cut at " + point);
      }
    }
  }

  private boolean any(Fault.Point point) {
    return faults.stream()
        .anyMatch(
            fault ->
                (fault instanceof Fault.Stalled stalled && stalled.point() == point)
                    || (fault instanceof Fault.Cut cut && cut.point() == point));
  }

  private <T extends Fault> Optional<T> first(Class<T> kind) {
    return faults.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }
}
