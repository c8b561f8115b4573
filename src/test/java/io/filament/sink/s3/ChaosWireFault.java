package io.filament.sink.s3;

import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.Operation;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import io.filament.sink.s3.testing.WireAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A planned fault of a store behind HTTP.
 *
 * @param first the first of the target's requests that it strikes, retries counted
 * @param last the last one
 * @param kind makes the fault, which may have a state
 */
record ChaosWireFault(Target target, int first, int last, Kind kind) {

  /** Which requests. */
  enum Target {
    PUT(S3Operation.PUT_OBJECT),
    MANIFEST(S3Operation.PUT_OBJECT),
    START(S3Operation.CREATE_MULTIPART_UPLOAD),
    PART(S3Operation.UPLOAD_PART),
    COMPLETE(S3Operation.COMPLETE_MULTIPART_UPLOAD),
    ABORT(S3Operation.ABORT_MULTIPART_UPLOAD),
    UPLOADS(S3Operation.LIST_MULTIPART_UPLOADS),
    HEAD(S3Operation.HEAD_OBJECT),
    DELETE(S3Operation.DELETE_OBJECT);

    private final S3Operation operation;

    Target(S3Operation operation) {
      this.operation = operation;
    }

    static Target of(Operation operation) {
      return switch (operation) {
        case PUT -> PUT;
        case PUT_MANIFEST -> MANIFEST;
        case START -> START;
        case PART -> PART;
        case COMPLETE -> COMPLETE;
        case ABORT -> ABORT;
        case UPLOADS -> UPLOADS;
        case HEAD -> HEAD;
      };
    }

    boolean matches(ServedBucket.Asked request) {
      if (request.operation() != operation) {
        return false;
      }
      boolean manifest = request.key().equals(ChaosRun.MANIFEST);
      return switch (this) {
        case PUT -> !manifest;
        case MANIFEST -> manifest;
        default -> true;
      };
    }
  }

  /** What goes wrong. */
  sealed interface Kind {}

  private record Cut(Fault.Point point) implements Kind {}

  private record Stalled(Fault.Point point) implements Kind {}

  private record Refused(Reply reply) implements Kind {}

  private record Misreported(Reply reply) implements Kind {}

  private record Forgotten() implements Kind {}

  private record Damaged(Fault.Damage damage) implements Kind {}

  /** An answer that isn't the store's. */
  @SuppressWarnings("ImmutableEnumChecker") // an answer is immutable: it copies its bytes
  private enum Reply {
    OK_WITH_ERROR(WireAnswer.error(200, "InternalError", "chaos")),
    OK_WITH_SLOW_DOWN(WireAnswer.error(200, "SlowDown", "chaos")),
    OK_EMPTY(WireAnswer.empty(200)),
    OK_UNPARSABLE(WireAnswer.xml(200, "<Unclosed><a b=&&>\u0000")),
    OK_OTHER_XML(WireAnswer.xml(200, "<html><body>a proxy's page</body></html>")),
    NO_CONTENT(WireAnswer.empty(204)),
    MOVED(WireAnswer.error(301, "PermanentRedirect", "chaos")),
    MOVED_FOR_NOW(WireAnswer.xml(307, "", "Location", "http://127.0.0.1:1/nowhere")),
    REQUEST_TIMEOUT(WireAnswer.error(400, "RequestTimeout", "chaos")),
    BAD_DIGEST(WireAnswer.error(400, "BadDigest", "chaos")),
    EXPIRED(WireAnswer.error(400, "ExpiredToken", "chaos")),
    BARE_400(WireAnswer.empty(400)),
    UNAUTHORIZED(WireAnswer.empty(401)),
    DENIED(WireAnswer.error(403, "AccessDenied", "chaos")),
    SKEWED(WireAnswer.error(403, "RequestTimeTooSkewed", "chaos")),
    NO_UPLOAD(WireAnswer.error(404, "NoSuchUpload", "chaos")),
    NO_BUCKET(WireAnswer.error(404, "NoSuchBucket", "chaos")),
    BARE_404(WireAnswer.empty(404)),
    NOT_ALLOWED(WireAnswer.error(405, "MethodNotAllowed", "chaos")),
    CONFLICT(WireAnswer.error(409, "ConditionalRequestConflict", "chaos")),
    ABORTED(WireAnswer.error(409, "OperationAborted", "chaos")),
    PRECONDITION(WireAnswer.error(412, "PreconditionFailed", "chaos")),
    BARE_412(WireAnswer.empty(412)),
    TOO_LARGE(WireAnswer.empty(413)),
    TOO_MANY(WireAnswer.error(429, "TooManyRequests", "chaos")),
    INTERNAL(WireAnswer.error(500, "InternalError", "chaos")),
    HTML_500(WireAnswer.xml(500, "<html>oops")),
    NOT_IMPLEMENTED(WireAnswer.error(501, "NotImplemented", "chaos")),
    BAD_GATEWAY(WireAnswer.xml(502, "<html><body>bad gateway</body></html>")),
    SLOW_DOWN(WireAnswer.error(503, "SlowDown", "chaos")),
    BARE_503(WireAnswer.empty(503)),
    GATEWAY_TIMEOUT(WireAnswer.empty(504));

    final WireAnswer answer;

    Reply(WireAnswer answer) {
      this.answer = answer;
    }

    boolean isSuccess() {
      return answer.status() < 300;
    }

    /** Whether the client asks again after it. */
    boolean passes() {
      return (answer.status() >= 500 && answer.status() != 501)
          || answer.status() == 429
          || answer.status() == 409
          || this == REQUEST_TIMEOUT;
    }
  }

  private static final int FIRST = 6;
  private static final int ATTEMPTS = 3;
  private static final List<Target> TARGETS =
      List.of(
          Target.PUT,
          Target.MANIFEST,
          Target.START,
          Target.PART,
          Target.PART,
          Target.COMPLETE,
          Target.ABORT,
          Target.UPLOADS,
          Target.HEAD,
          Target.HEAD);

  /**
   * Draws a fault.
   *
   * @param rivalry whether two writers share the run: then the store keeps what it took, and lets
   *     them look
   */
  static ChaosWireFault draw(Random random, boolean rivalry) {
    return draw(random, rivalry, TARGETS.get(random.nextInt(TARGETS.size())));
  }

  /** Draws a fault of these requests. */
  static ChaosWireFault draw(Random random, boolean rivalry, Target target) {
    Kind kind = kind(random, target);
    while (rivalry && lies(target, kind)) {
      kind = kind(random, target);
    }
    int first = 1 + random.nextInt(FIRST);
    int last =
        switch (random.nextInt(6)) {
          case 0 -> Integer.MAX_VALUE;
          case 1 -> first + ATTEMPTS - 1;
          case 2 -> first + random.nextInt(12);
          default -> first;
        };
    return new ChaosWireFault(target, first, kind instanceof Stalled ? first : last, kind);
  }

  private static Kind kind(Random random, Target target) {
    Fault.Point[] points = Fault.Point.values();
    Reply[] replies = Reply.values();
    List<Kind> kinds = new ArrayList<>();
    Kind refused = new Refused(replies[random.nextInt(replies.length)]);
    Kind cut = new Cut(points[random.nextInt(points.length)]);
    kinds.addAll(List.of(refused, refused, refused, refused, cut, cut, cut));
    kinds.add(new Stalled(points[random.nextInt(points.length)]));
    if (target != Target.HEAD && target != Target.UPLOADS) {
      kinds.add(new Misreported(replies[random.nextInt(replies.length)]));
      kinds.add(new Forgotten());
    }
    if (target == Target.PUT || target == Target.MANIFEST || target == Target.PART) {
      Fault.Damage[] damages = Fault.Damage.values();
      kinds.add(new Damaged(damages[random.nextInt(damages.length)]));
    }
    return kinds.get(random.nextInt(kinds.size()));
  }

  /** Returns whether the store says what is not so. */
  private static boolean lies(Target target, Kind kind) {
    if (kind instanceof Refused refused) {
      int status = refused.reply().answer.status();
      return refused.reply().isSuccess()
          || (target == Target.HEAD && status / 100 == 4)
          || (target == Target.ABORT && refused.reply() == Reply.NO_UPLOAD); // it is still there
    }
    return kind instanceof Forgotten || kind instanceof Damaged;
  }

  boolean stalls() {
    return kind instanceof Stalled;
  }

  boolean liesAbout(Target told) {
    return target == told && lies(target, kind);
  }

  boolean damages(Fault.Damage damage) {
    return kind.equals(new Damaged(damage));
  }

  /** Returns whether the fault damages the manifest itself, behind a good answer. */
  boolean damagesManifest() {
    return target == Target.MANIFEST && kind instanceof Damaged;
  }

  /** Returns whether it keeps a writer from looking with these requests. */
  boolean hides(Target look) {
    boolean passes =
        last - first < ATTEMPTS - 1
            && !(kind instanceof Refused refused && !refused.reply().passes());
    return target == look && !passes;
  }

  Fault make() {
    if (kind instanceof Cut cut) {
      return new Fault.Cut(cut.point());
    } else if (kind instanceof Stalled stalled) {
      return new Fault.Stalled(stalled.point(), new Fault.Stall());
    } else if (kind instanceof Refused refused) {
      return new Fault.Refused(refused.reply().answer);
    } else if (kind instanceof Misreported misreported) {
      return new Fault.Misreported(misreported.reply().answer);
    } else if (kind instanceof Damaged damaged) {
      return new Fault.Damaged(damaged.damage());
    }
    return new Fault.Forgotten();
  }

  @Override
  public String toString() {
    String range =
        first == last ? "" + first : first + "-" + (last == Integer.MAX_VALUE ? "" : last);
    return target + " " + range + " " + kind;
  }
}
