package io.filament.sink.s3.testing;

/** Ends a request with an answer that is an error. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient WireAnswer answer;

  Refusal(int status, String code, String message) {
    super(code + ": " + message);
    this.answer = WireAnswer.error(status, code, message);
  }

  WireAnswer answer() {
    return answer;
  }
}
