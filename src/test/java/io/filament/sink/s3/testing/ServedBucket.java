package io.filament.sink.s3.testing;

import io.filament.sink.s3.internal.store.Upload;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A bucket of {@link FaultServer}: what it holds, what it was asked, and what will go wrong. */
public final class ServedBucket {

  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final String name;
  private final BucketContent content;
  // All guarded by this.
  private final List<Rule> rules = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();
  private Optional<String> lifecycle = Optional.empty();
  private int struck;

  ServedBucket(String name, StoreProfile profile, Clock clock) {
    this.name = name;
    this.content = new BucketContent(profile, clock);
  }

  /**
   * A request that came.
   *
   * @param headers names in lower case
   * @param retry whether the client had sent it before
   * @param struck whether a fault was planned for it
   */
  public record Asked(
      S3Operation operation,
      String key,
      Map<String, String> headers,
      boolean retry,
      boolean struck) {}

  /** Faults for the requests that match, from the first-th to the last-th of them. */
  private static final class Rule {

    final Predicate<Asked> matcher;
    final int first;
    final int last;
    final Fault fault;
    int seen;

    Rule(Predicate<Asked> matcher, int first, int last, Fault fault) {
      this.matcher = matcher;
      this.first = first;
      this.last = last;
      this.fault = fault;
    }

    boolean hits(Asked request) {
      if (!matcher.test(request)) {
        return false;
      }
      seen++;
      return seen >= first && seen <= last;
    }
  }

  /** Plans a fault for the n-th request of an operation, retries counted, from 1. */
  public ServedBucket plan(S3Operation operation, int nth, Fault fault) {
    return plan(operation, nth, nth, fault);
  }

  /** Plans a fault for several requests of an operation that follow each other. */
  public ServedBucket plan(S3Operation operation, int first, int last, Fault fault) {
    return plan(request -> request.operation() == operation, first, last, fault);
  }

  /** Plans a fault for all requests of an operation. */
  public ServedBucket planAll(S3Operation operation, Fault fault) {
    return plan(operation, 1, Integer.MAX_VALUE, fault);
  }

  /** Plans a fault for the first-th to the last-th of the requests that match. */
  public synchronized ServedBucket plan(
      Predicate<Asked> matcher, int first, int last, Fault fault) {
    rules.add(new Rule(matcher, first, last, fault));
    return this;
  }

  /** Sets the answer to GetBucketLifecycleConfiguration; without it there is none. */
  public synchronized void lifecycle(String xml) {
    lifecycle = Optional.of(xml);
  }

  /** From here on every request is treated as it should be. */
  public synchronized void heal() {
    rules.clear();
  }

  /** Returns how many faults have struck. */
  public synchronized int struck() {
    return struck;
  }

  /** Returns the requests so far, in the order in which their heads were read. */
  public synchronized List<Asked> asked() {
    return List.copyOf(asked);
  }

  /** Returns the requests of one operation so far. */
  public List<Asked> asked(S3Operation operation) {
    return asked().stream().filter(request -> request.operation() == operation).toList();
  }

  public String name() {
    return name;
  }

  /** Returns the keys of all visible objects. */
  public synchronized SortedSet<String> keys() {
    return new TreeSet<>(content.objects.keySet());
  }

  /** Returns the bytes of a visible object. */
  public synchronized byte[] content(String key) {
    return content.object(key).content().clone();
  }

  /** Returns the sizes of the parts that a visible object was completed of; none if it was put. */
  public synchronized List<Integer> partLengths(String key) {
    return content.object(key).partLengths();
  }

  /** Returns all uploads that were started and neither completed nor aborted. */
  public synchronized List<Upload> openUploads() {
    return content.uploads.entrySet().stream()
        .map(upload -> new Upload(upload.getValue().key(), upload.getKey()))
        .toList();
  }

  /** Puts an object, without a request. */
  public synchronized void put(String key, byte[] bytes) {
    Map<String, String> headers = Map.of("content-md5", BodyChecks.contentMd5(bytes));
    content.put(
        new WireRequest("PUT", name, key, Map.of(), headers, bytes), UnaryOperator.identity());
  }

  /** Starts an upload, without a request. */
  public synchronized Upload start(String key) {
    WireRequest request = new WireRequest("POST", name, key, Map.of(), Map.of(), new byte[0]);
    return new Upload(key, content.start(request));
  }

  /** Notes a request whose head is read, and returns what will go wrong with it. */
  synchronized List<Fault> begin(WireRequest request) {
    Asked now = asked(request, false);
    List<Fault> due =
        rules.stream().filter(rule -> rule.hits(now)).map(rule -> rule.fault).toList();
    struck += due.size();
    asked.add(asked(request, !due.isEmpty()));
    return due;
  }

  private static Asked asked(WireRequest request, boolean struck) {
    return new Asked(
        request.operation(), request.key(), request.headers(), request.isRetry(), struck);
  }

  synchronized WireAnswer carryOut(WireRequest request, UnaryOperator<byte[]> damage) {
    return answer(content, request, damage);
  }

  /** Answers as if the request were carried out. */
  synchronized WireAnswer pretend(WireRequest request) {
    return answer(content.copy(), request, UnaryOperator.identity());
  }

  private WireAnswer answer(
      BucketContent target, WireRequest request, UnaryOperator<byte[]> damage) {
    try {
      return switch (request.operation()) {
        case HEAD_BUCKET, CREATE_BUCKET ->
            WireAnswer.empty(200, "x-amz-bucket-region", S3Endpoint.DEFAULT_REGION);
        case DELETE_BUCKET -> WireAnswer.empty(204);
        case GET_BUCKET_LIFECYCLE_CONFIGURATION ->
            lifecycle
                .map(text -> WireAnswer.xml(200, text))
                .orElseThrow(
                    () ->
                        new Refusal(
                            404,
                            "NoSuchLifecycleConfiguration",
                            "The lifecycle configuration does not exist"));
        case LIST_OBJECTS_V2 -> WireAnswer.xml(200, S3Xml.objects(request, target.objects));
        case LIST_MULTIPART_UPLOADS -> WireAnswer.xml(200, S3Xml.uploads(request, target.uploads));
        case LIST_PARTS ->
            WireAnswer.xml(200, S3Xml.parts(request, target.upload(request).parts()));
        case PUT_OBJECT -> {
          BucketContent.Stored stored = target.put(request, damage);
          yield new WireAnswer(200, shown(stored, stored.checksum()), new byte[0]);
        }
        case GET_OBJECT, HEAD_OBJECT -> read(target.object(request.key()), request);
        case DELETE_OBJECT -> {
          target.objects.remove(request.key());
          yield WireAnswer.empty(204);
        }
        case CREATE_MULTIPART_UPLOAD ->
            WireAnswer.xml(
                200, S3Xml.started(request.bucket(), request.key(), target.start(request)));
        case UPLOAD_PART -> {
          byte[] part = target.part(request, damage);
          Map<String, String> headers = new HashMap<>();
          headers.put("ETag", BodyChecks.etag(part));
          new BodyChecks(target.profile)
              .kept(request, part)
              .forEach((header, value) -> headers.put(header, value));
          headers.remove(BodyChecks.TYPE);
          yield new WireAnswer(200, headers, new byte[0]);
        }
        case COMPLETE_MULTIPART_UPLOAD ->
            WireAnswer.xml(
                200,
                S3Xml.completed(
                    request.bucket(),
                    request.key(),
                    target.complete(request, S3Xml.listed(request.body()))));
        case ABORT_MULTIPART_UPLOAD -> {
          target.upload(request);
          target.uploads.remove(request.queryOr("uploadId", ""));
          yield WireAnswer.empty(204);
        }
        case UNKNOWN -> throw new Refusal(501, "NotImplemented", request.method());
      };
    } catch (Refusal refusal) {
      return refusal.answer();
    }
  }

  private static WireAnswer read(BucketContent.Stored stored, WireRequest request) {
    boolean asksForChecksum = request.header("x-amz-checksum-mode").isPresent();
    Map<String, String> headers = shown(stored, asksForChecksum ? stored.checksum() : Map.of());
    headers.putAll(stored.headers());
    return new WireAnswer(200, headers, stored.content());
  }

  private static Map<String, String> shown(
      BucketContent.Stored stored, Map<String, String> checksum) {
    Map<String, String> headers = new HashMap<>(checksum);
    headers.put("ETag", stored.etag());
    headers.put("Last-Modified", HTTP_DATE.format(stored.modified()));
    return headers;
  }
}
