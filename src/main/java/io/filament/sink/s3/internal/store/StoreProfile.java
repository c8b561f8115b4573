package io.filament.sink.s3.internal.store;

import java.util.Objects;
import java.util.Optional;

/**
 * What is known of how a store treats what it is sent.
 *
 * <p>Conditions on puts and on completing an upload are kept apart, since stores differ in them:
 * Swift refuses the former and honours the latter, and Ceph 16 the other way round.
 *
 * @param checksums which checksums are sent
 * @param found how that came about
 * @param reason why they are not the strongest, if that was found; without secrets
 * @param conditionalPuts whether a put obeys {@code If-None-Match}
 * @param conditionalCompletes whether completing an upload obeys it
 */
public record StoreProfile(
    ChecksumLevel checksums,
    Found found,
    Optional<String> reason,
    Conditions conditionalPuts,
    Conditions conditionalCompletes) {

  public StoreProfile {
    Objects.requireNonNull(checksums, "checksums");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(conditionalPuts, "conditionalPuts");
    Objects.requireNonNull(conditionalCompletes, "conditionalCompletes");
  }

  /** Returns the profile of a store whose checksums were set by somebody who knows it. */
  public static StoreProfile configured(ChecksumLevel level) {
    return of(level, Found.CONFIGURED, Optional.empty());
  }

  /** Returns the profile of a store whose strongest checksums these are. */
  static StoreProfile probed(ChecksumLevel level, Optional<String> reason) {
    return of(level, Found.PROBED, reason);
  }

  /** Returns the profile of a store that could not be probed: what every store takes. */
  static StoreProfile fallback(String reason) {
    return of(ChecksumLevel.NONE, Found.FALLBACK, Optional.of(reason));
  }

  private static StoreProfile of(ChecksumLevel level, Found found, Optional<String> reason) {
    return new StoreProfile(level, found, reason, Conditions.UNKNOWN, Conditions.UNKNOWN);
  }

  /** Returns the same with what was learnt of conditional writes. */
  public StoreProfile withConditions(Conditions puts, Conditions completes) {
    return new StoreProfile(checksums, found, reason, puts, completes);
  }

  /** How the level of checksums came about. */
  public enum Found {
    /** The configuration says it. */
    CONFIGURED("configured"),
    /** The store showed it. */
    PROBED("probed"),
    /** The store let nobody look. */
    FALLBACK("fallback");

    private final String label;

    Found(String label) {
      this.label = label;
    }

    /** Returns the name in a manifest. */
    public String label() {
      return label;
    }
  }

  /** What a store's answers have shown of conditional writes. */
  public enum Conditions {
    /** Nothing yet: a condition that held, or was ignored, looks the same. */
    UNKNOWN("unknown"),
    /** It has refused a write whose condition didn't hold. */
    HONOURED("honoured"),
    /** It has carried out a write whose condition didn't hold. */
    IGNORED("ignored"),
    /** It has refused a write for having a condition. */
    REFUSED("refused");

    private final String label;

    Conditions(String label) {
      this.label = label;
    }

    /** Returns the name in a manifest. */
    public String label() {
      return label;
    }
  }
}
