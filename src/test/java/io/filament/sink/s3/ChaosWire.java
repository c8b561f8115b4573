package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.StoreProfile;
import io.filament.sink.s3.testing.StoreProfile.Checksums;
import io.filament.sink.s3.testing.StoreProfile.Conditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a seed decides of a run over HTTP: what the store can do, and what goes wrong.
 *
 * @param conditionalWrites what {@code open} asks of the store
 */
record ChaosWire(
    StoreProfile profile,
    ChecksumLevel level,
    ConditionalWrites conditionalWrites,
    List<ChaosWireFault> faults) {

  /** What fits together: other levels are refused by the store. */
  private record Fit(Checksums checksums, ChecksumLevel level) {}

  private static final List<Fit> FITS =
      List.of(
          new Fit(Checksums.FULL_OBJECT, ChecksumLevel.FULL_OBJECT),
          new Fit(Checksums.FULL_OBJECT, ChecksumLevel.FULL_OBJECT),
          new Fit(Checksums.FULL_OBJECT, ChecksumLevel.COMPOSITE),
          new Fit(Checksums.FULL_OBJECT, ChecksumLevel.NONE),
          new Fit(Checksums.REQUIRED, ChecksumLevel.FULL_OBJECT),
          new Fit(Checksums.REQUIRED, ChecksumLevel.NONE),
          new Fit(Checksums.COMPOSITE, ChecksumLevel.COMPOSITE),
          new Fit(Checksums.IGNORED, ChecksumLevel.FULL_OBJECT),
          new Fit(Checksums.IGNORED, ChecksumLevel.COMPOSITE),
          new Fit(Checksums.IGNORED, ChecksumLevel.NONE),
          new Fit(Checksums.INVALID, ChecksumLevel.NONE),
          new Fit(Checksums.NOT_IMPLEMENTED, ChecksumLevel.NONE));

  static ChaosWire draw(Random random, int partSize, ChaosPlan.Rival rival) {
    boolean rivalry = rival != ChaosPlan.Rival.NONE;
    Fit fit = FITS.get(random.nextInt(FITS.size()));
    // Without conditions two writers at one time are not kept apart.
    Conditions conditions =
        rivalry || random.nextInt(3) > 0
            ? Conditions.HONOURED
            : random.nextBoolean() ? Conditions.IGNORED : Conditions.NOT_IMPLEMENTED;
    List<ChaosWireFault> faults = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      faults.add(ChaosWireFault.draw(random, rivalry));
    }
    if (fit.checksums() == Checksums.IGNORED && fit.level() != ChecksumLevel.NONE) {
      // A store that tells nothing of the bytes keeps any of the right number.
      faults.removeIf(
          fault ->
              fault.damages(Fault.Damage.FLIPPED)
                  || fault.damages(Fault.Damage.FLIPPED_ON_THE_WAY));
    }
    // Who is lied to and can't look can't know.
    dropWhatHides(faults, ChaosWireFault.Target.MANIFEST, ChaosWireFault.Target.HEAD);
    dropWhatHides(faults, ChaosWireFault.Target.ABORT, ChaosWireFault.Target.UPLOADS);
    ConditionalWrites asked = asked(random, conditions);
    if (asked != ConditionalWrites.AUTO && random.nextBoolean()) {
      faults.add(ChaosWireFault.draw(random, rivalry, ChaosWireFault.Target.DELETE));
    }
    return new ChaosWire(
        new StoreProfile(fit.checksums(), conditions, partSize),
        fit.level(),
        asked,
        List.copyOf(faults));
  }

  /** A run whose store must do what it doesn't would never be committed. */
  private static ConditionalWrites asked(Random random, Conditions conditions) {
    if (random.nextInt(3) > 0) {
      return ConditionalWrites.AUTO;
    }
    return conditions == Conditions.HONOURED && random.nextBoolean()
        ? ConditionalWrites.REQUIRE
        : ConditionalWrites.PROBE;
  }

  /** Returns the same for a run that goes on whatever the store was taken for before. */
  ChaosWire lenient() {
    return conditionalWrites == ConditionalWrites.REQUIRE
        ? new ChaosWire(profile, level, ConditionalWrites.PROBE, faults)
        : this;
  }

  /** Returns whether only a client's patience ends what goes wrong. */
  boolean stalls() {
    return faults.stream().anyMatch(ChaosWireFault::stalls);
  }

  private static void dropWhatHides(
      List<ChaosWireFault> faults, ChaosWireFault.Target lie, ChaosWireFault.Target look) {
    if (faults.stream().anyMatch(fault -> fault.liesAbout(lie))) {
      faults.removeIf(fault -> fault.hides(look));
    }
  }
}
