package io.filament.sink.s3.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RunMemoryTest {

  private final AtomicLong clock = new AtomicLong();
  private final RunMemory memory = new RunMemory(100, 0, clock::getAndIncrement);

  @Test
  void theLastByteIsThereAndNoneAfterIt() throws IOException {
    ResourceMemory resource = entered("a");
    resource.reserve(99);

    assertThat(resource.tryReserve(2)).isFalse();
    assertThat(resource.tryReserve(1)).isTrue();
    assertThat(resource.tryReserve(1)).isFalse();
    assertThat(memory.heldBytes()).isEqualTo(100);
  }

  @Test
  void peakIsTheMostThatWasHeld() throws IOException {
    ResourceMemory resource = entered("a");
    resource.reserve(70);
    resource.release(60);
    resource.reserve(20);

    assertThat(memory.heldBytes()).isEqualTo(30);
    assertThat(memory.peakBytes()).isEqualTo(70);
  }

  @Test
  void whoNeedsMoreThanCanBeFreedFails() throws IOException {
    ResourceMemory idle = entered("a");
    idle.reserve(60);
    idle.leave();

    assertThatThrownBy(() -> entered("b").reserve(41))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("resource b needs 41 bytes more")
        .hasMessageContaining("memory_limit_mib")
        .hasMessageContaining("of 100 bytes, 60 are held, by 2 resources");
  }

  @Test
  void oneNeedMayHaveAllThatIsThere() throws IOException {
    Resource idle = new Resource("idle", 100);

    entered("a").reserve(100);

    assertThat(idle.cuts).hasValue(1);
    assertThat(memory.peakBytes()).isEqualTo(100);
  }

  @Test
  void theResourceThatFreesTheMostIsCutFirst() throws IOException {
    Resource small = new Resource("small", 30);
    Resource large = new Resource("large", 40);

    entered("a").reserve(50);

    assertThat(large.cuts).hasValue(1);
    assertThat(small.cuts).hasValue(0);
  }

  @Test
  void partsAreSentOnlyWhenNothingIsLeftToCut() throws IOException {
    Resource cut = new Resource("cut", 30);
    Resource sent = new Resource("sent", 60);
    sent.memory.cuttable(0);
    sent.memory.sendable(60);

    entered("a").reserve(40);
    assertThat(sent.sends).hasValue(0);
    entered("b").reserve(30);

    assertThat(cut.cuts).hasValue(1);
    assertThat(sent.sends).hasValue(1);
  }

  @Test
  void aPartInFlightIsWaitedForBeforeAnythingIsCut() throws Exception {
    Resource idle = new Resource("idle", 40);
    ResourceMemory flying = entered("flying");
    flying.reserve(60);
    flying.sent(60);
    flying.leave();

    CompletableFuture<Void> reserved = inThread("a", 50);
    awaitTrue(() -> memory.waitCount() == 1);
    assertThat(reserved).isNotDone();
    memory.landed(60, 0);

    reserved.join();
    assertThat(idle.cuts).hasValue(0);
    assertThat(memory.waitCount()).isEqualTo(1);
  }

  @Test
  void whatIsOptionalWaitsForPartsInFlightAndForNothingElse() throws Exception {
    Resource idle = new Resource("idle", 40);
    ResourceMemory flying = entered("flying");
    flying.reserve(60);
    flying.sent(50);
    CompletableFuture<Void> landing =
        CompletableFuture.runAsync(
            () -> {
              awaitTrue(() -> memory.waitCount() == 1);
              memory.landed(50, 0);
            });
    ResourceMemory resource = entered("a");

    assertThat(resource.tryReserveInTime(50)).isTrue();
    assertThat(resource.tryReserveInTime(1)).isFalse();

    landing.join();
    assertThat(idle.cuts).hasValue(0);
    assertThat(memory.heldBytes()).isEqualTo(100);
  }

  @Test
  void howLongAResourceHasWaitedIsToldOnce() throws Exception {
    ResourceMemory flying = entered("flying");
    flying.reserve(60);
    flying.sent(60);
    CompletableFuture<Void> landing =
        CompletableFuture.runAsync(
            () -> {
              awaitTrue(() -> memory.waitCount() == 1);
              memory.landed(60, 0);
            });
    ResourceMemory resource = entered("a");
    resource.reserve(50);
    landing.join();

    assertThat(resource.takeWaitedNanos()).isPositive();
    assertThat(resource.takeWaitedNanos()).isZero();
  }

  @Test
  void whoIsAtWorkIsWaitedForAndAskedToCut() throws Exception {
    ResourceMemory working = entered("working");
    working.reserve(80);
    working.cuttable(80);

    CompletableFuture<Void> reserved = inThread("a", 50);
    awaitTrue(() -> memory.waitCount() == 1);
    awaitTrue(working::isCutWanted);
    working.release(80);

    reserved.join();
  }

  @Test
  void whenAllWaitTheLastOneFails() throws Exception {
    ResourceMemory first = entered("first");
    first.reserve(60);
    CompletableFuture<Void> second = inThread("second", 41);
    awaitTrue(() -> memory.waitCount() == 1);

    assertThatThrownBy(() -> first.reserve(41)).isInstanceOf(SinkException.class);
    first.leave();

    assertThatThrownBy(second::join).hasRootCauseInstanceOf(SinkException.class);
  }

  @Test
  void whoIsInTheWayOfACutIsWaitedFor() throws Exception {
    Resource idle = new Resource("idle", 80);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch locked = new CountDownLatch(1);
    CompletableFuture<Void> holder =
        CompletableFuture.runAsync(
            () -> {
              idle.turn.lock();
              try {
                locked.countDown();
                await(release);
                enter(idle.memory);
                idle.memory.release(80);
                idle.memory.leave();
              } finally {
                idle.turn.unlock();
              }
            });
    locked.await();

    CompletableFuture<Void> reserved = inThread("a", 50);
    awaitTrue(() -> memory.waitCount() == 1);
    release.countDown();

    reserved.join();
    holder.join();
    assertThat(idle.cuts).hasValue(0);
  }

  /** Else each would have its records and none the room for what they become. */
  @Test
  void ofTwoWithRecordsTheSecondGivesItsOwnUpForTheFirst() throws Exception {
    Records first = new Records("first", 40);
    Records second = new Records("second", 40);

    CompletableFuture<Void> output = first.inThread(memory -> memory.reserveForOutput(50));
    awaitTrue(() -> memory.waitCount() == 1);
    CompletableFuture<Void> others = second.inThread(memory -> memory.reserveForOutput(61));
    output.join();

    assertThat(first.givenUp).hasValue(0);
    assertThat(second.givenUp).hasValue(1);
    assertThat(others).isNotDone();
    first.memory.release(90);
    others.join();
  }

  @Test
  void recordsAreReadOneAfterTheOtherWhereTheLastRoomIsTaken() throws Exception {
    Records first = new Records("first", 70);
    Records second = new Records("second", 0);
    CompletableFuture<Void> output = first.inThread(memory -> memory.reserveForOutput(31));
    awaitTrue(() -> memory.waitCount() == 1);

    second.memory.reserveForRecords(5); // three quarters are held then
    second.memory.reserveForOutput(1);
    second.memory.release(6);
    ResourceMemory third = entered("third");
    CompletableFuture<Void> records = second.inThread(memory -> memory.reserveForRecords(6));
    awaitTrue(() -> memory.waitCount() == 2);
    first.memory.release(1);
    output.join();
    assertThat(records).isNotDone();
    first.memory.release(30);
    first.memory.passOnLastRoom();
    records.join();
    assertThat(second.memory.hasLastRoom()).isTrue();
    third.leave();
  }

  @Test
  void recordsAreReadOutOfTurnRatherThanFail() throws Exception {
    Records first = new Records("first", 70);
    Records second = new Records("second", 0);
    CompletableFuture<Void> output = first.inThread(memory -> memory.reserveForOutput(31));
    awaitTrue(() -> memory.waitCount() == 1);

    second.memory.reserveForRecords(6);

    assertThat(second.memory.hasLastRoom()).isFalse();
    first.memory.release(7);
    output.join();
  }

  @Test
  void theLastRoomGoesToWhoHasWaitedLongest() throws Exception {
    Records owner = new Records("owner", 100);
    Records[] others = new Records[3];
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    memory.lastRoom().take(owner.memory);
    for (int i = 0; i < others.length; i++) {
      others[i] = new Records("other", 0);
      waiting.add(others[i].inThread(memory -> memory.reserveForRecords(80)));
      int count = i + 1;
      awaitTrue(() -> memory.waitCount() == count);
    }
    owner.memory.release(100);
    owner.memory.leave();

    for (int i = 0; i < others.length; i++) {
      waiting.get(i).join();
      assertThat(memory.heldBytes()).isEqualTo(80);
      assertThat(others[i].memory.hasLastRoom()).isTrue();
      others[i].memory.release(80);
      others[i].memory.leave();
    }
    assertThat(memory.lastRoom().isOfAnother(owner.memory)).isFalse();
  }

  /** It can go on, and gives back enough then, though it has not looked yet. */
  @Test
  void whoHasJustBeenWokenIsAtWork() throws Exception {
    Records first = new Records("first", 30);
    Resource second = new Resource("second", 30);
    second.memory.enter();
    second.memory.reserve(30);
    CompletableFuture<Void> woken =
        first.inThread(
            memory -> {
              memory.reserveForOutput(40);
              memory.release(70);
            });
    awaitTrue(() -> memory.waitCount() == 1);

    assertThat(second.memory.reserve(50)).as("not before its cut").isFalse();
    assertThat(second.memory.reserve(50)).isTrue();

    woken.join();
    assertThat(second.cuts).hasValue(1);
    assertThat(memory.heldBytes()).isEqualTo(80);
  }

  /** What a cut has written out needs no more room. */
  @Test
  void whoIsCutForItselfSaysAnewWhatItNeeds() throws IOException {
    Resource wide = new Resource("wide", 60);
    wide.memory.enter();

    assertThat(wide.memory.reserve(200)).isFalse();

    assertThat(wide.cuts).hasValue(1);
    assertThat(wide.memory.reserve(40)).isTrue();
    assertThat(memory.heldBytes()).isEqualTo(40);
  }

  /** The turn comes back between the look at it and the wait, which then nobody would end. */
  @Test
  void aTurnThatIsGivenAwayBeforeTheWaitIsTriedAgain() throws IOException {
    Resource idle = new Resource("idle", 80);
    AtomicInteger tries = new AtomicInteger();
    idle.memory.takenBy(
        work -> {
          boolean isTaken = tries.getAndIncrement() == 0;
          if (isTaken) {
            memory.turnGivenAway();
          } else {
            work.run();
          }
          return !isTaken;
        });

    entered("a").reserve(50);

    assertThat(tries).hasValue(2);
    assertThat(memory.waitCount()).isZero();
  }

  @Test
  void cancelWakesWhoWaits() throws Exception {
    ResourceMemory flying = entered("flying");
    flying.reserve(100);
    flying.sent(100);
    CompletableFuture<Void> reserved = inThread("a", 1);
    awaitTrue(() -> memory.waitCount() == 1);

    memory.cancel();

    assertThatThrownBy(reserved::join)
        .hasRootCauseInstanceOf(SinkException.class)
        .hasMessageContaining("the run was aborted");
  }

  @Test
  void anInterruptWakesWhoWaitsAndKeepsTheFlag() throws Exception {
    ResourceMemory flying = entered("flying");
    flying.reserve(100);
    flying.sent(100);
    ResourceMemory resource = entered("a");

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> resource.reserve(1))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("while a waited for memory");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsReleasedWhileWritingOutIsTheResourcesOwn() throws IOException {
    ResourceMemory writing = entered("writing");
    writing.reserve(100);
    writing.beginWritingOut();
    writing.release(40);

    assertThat(entered("other").tryReserve(1)).isFalse();
    assertThat(writing.tryReserve(30)).isTrue();
    writing.endWritingOut();

    assertThat(memory.heldBytes()).isEqualTo(90);
    assertThat(memory.peakBytes()).isEqualTo(100);
  }

  @Test
  void theMarginIsOnlyForWhatIsWrittenOut() throws IOException {
    RunMemory withMargin = new RunMemory(100, 10, () -> 0);
    ResourceMemory resource = withMargin.open(() -> "a", 0, 0);
    resource.enter();
    assertThat(resource.tryReserve(91)).isFalse();
    resource.reserve(90);

    resource.beginWritingOut();
    resource.reserveForOutput(10);

    assertThat(withMargin.heldBytes()).isEqualTo(100);
  }

  @Test
  void spareMemoryIsDroppedBeforeAnythingElse() throws IOException {
    Resource idle = new Resource("idle", 30);
    ResourceMemory resource = entered("a");
    resource.reserve(70);
    memory.spare().onDrop(() -> memory.spare().dropped(70));
    resource.sent(70);
    memory.landed(70, 70);
    assertThat(memory.heldBytes()).isEqualTo(100);

    resource.reserve(70);

    assertThat(idle.cuts).hasValue(0);
  }

  @Test
  void allThatIsKeptIsDropped() throws IOException {
    ResourceMemory resource = entered("a");
    resource.reserve(20);
    memory.spare().onDrop(() -> memory.spare().dropped(20));
    resource.sent(20);
    memory.landed(20, 20);
    assertThat(memory.tryHold(30)).isTrue();
    memory.spare().onDrop(() -> memory.spare().dropped(30));
    memory.spare().keep(30);
    assertThat(memory.heldBytes()).isEqualTo(50);

    resource.reserve(100);

    assertThat(memory.heldBytes()).isEqualTo(100);
  }

  @Test
  void whatCanBeDoneWithoutGetsNothingOfTheLastQuarter() throws IOException {
    entered("a").reserve(50);

    assertThat(memory.tryHold(26)).isFalse();
    assertThat(memory.tryHold(25)).isTrue();
    assertThat(memory.tryHold(1)).isFalse();
    assertThat(memory.peakBytes()).isEqualTo(75);
    memory.letGo(25);
    assertThat(memory.heldBytes()).isEqualTo(50);
  }

  @Test
  void whatIsUsedAgainIsNotDropped() throws IOException {
    assertThat(memory.tryHold(30)).isTrue();
    memory.spare().keep(30);
    memory.spare().use(30);

    assertThatThrownBy(() -> entered("a").reserve(71))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("of 100 bytes, 30 are held");
  }

  @Test
  void whatIsHeldForAWhileIsNothingOfAResourcesOwn() throws IOException {
    ResourceMemory resource = entered("a");
    resource.reserve(60);
    resource.beginWritingOut();
    resource.release(60);

    assertThat(memory.tryHold(16)).isFalse();
    assertThat(memory.tryHold(15)).isTrue();
    resource.reserveForOutput(60);

    assertThat(memory.heldBytes()).isEqualTo(75);
  }

  @Test
  void whatAResourceHoldsAtLeastIsThereForItsFirstBytes() throws IOException {
    ResourceMemory small = memory.open(() -> "small", 30, 20);
    small.enter();
    entered("large").reserve(70);

    assertThat(small.tryReserve(20)).isTrue();
    assertThat(small.tryReserve(1)).isFalse();
  }

  @Test
  void recordsThatAreReadLeaveTheResourceItsOwn() throws IOException {
    ResourceMemory small = memory.open(() -> "small", 30, 20);
    small.enter();
    small.reserveForRecords(70);
    small.release(70);
    entered("large").reserve(70);

    assertThat(small.tryReserve(20)).isTrue();
  }

  @Test
  void aResourceThatComesLaterPaysForItselfWhenItIsUsed() throws IOException {
    Resource idle = new Resource("idle", 80);

    ResourceMemory late = memory.open(() -> "late", 30, 10);
    assertThat(memory.heldBytes()).isEqualTo(80);
    late.enter();

    assertThat(idle.cuts).hasValue(1);
    assertThat(memory.heldBytes()).isEqualTo(30);
    assertThat(late.tryReserve(10)).isTrue();
    assertThat(memory.heldBytes()).isEqualTo(30);
  }

  @Test
  void refusalNamesTheLeastLimitThatWouldDo() {
    assertThatThrownBy(() -> RunMemory.check("open", "json", 4 << 20, 7, (5 << 20) + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory_limit_mib 4 is too little for 7 resources")
        .hasMessageContaining("the least that would do is 6");
    RunMemory.check("open", "json", 4 << 20, 7, 4 << 20);
  }

  @Test
  void oneMoreResourceIsRefusedBesideThoseThatAreThere() {
    memory.open(() -> "a", 40, 0);
    memory.open(() -> "b", 40, 0);

    memory.checkRoom("write", "json", 10, 10);
    assertThatThrownBy(() -> memory.checkRoom("write", "json", 11, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too little for 3 resources");
  }

  private ResourceMemory entered(String name) throws IOException {
    ResourceMemory resource = memory.open(() -> name, 0, 0);
    resource.enter();
    return resource;
  }

  private CompletableFuture<Void> inThread(String name, long bytes) {
    return CompletableFuture.runAsync(
        () -> {
          ResourceMemory resource = memory.open(() -> name, 0, 0);
          enter(resource);
          try {
            resource.reserve(bytes);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          } finally {
            resource.leave();
          }
        });
  }

  private static void enter(ResourceMemory resource) {
    try {
      resource.enter();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitTrue(java.util.function.BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new IllegalStateException("interrupted");
      }
      Thread.onSpinWait();
    }
  }

  /** A resource that nobody is at, all of whose memory a cut or a part's sending frees. */
  private final class Resource implements Relief {

    final ResourceMemory memory;
    final ReentrantLock turn = new ReentrantLock();
    final AtomicInteger cuts = new AtomicInteger();
    final AtomicInteger sends = new AtomicInteger();
    private final long bytes;

    Resource(String name, long bytes) throws IOException {
      this.bytes = bytes;
      this.memory = entered(name);
      memory.reserve(bytes);
      memory.cuttable(bytes);
      memory.relievedBy(this);
      memory.takenBy(
          work -> {
            if (!turn.tryLock()) {
              return false;
            }
            try {
              work.run();
            } finally {
              turn.unlock();
            }
            return true;
          });
      memory.leave();
    }

    @Override
    public void cut() {
      cuts.incrementAndGet();
      memory.release(bytes);
    }

    @Override
    public void giveUpRecords() {}

    @Override
    public void send() {
      sends.incrementAndGet();
      memory.release(bytes);
    }
  }

  /** A resource that a thread is at, which has records. */
  private final class Records implements Relief {

    final ResourceMemory memory;
    final AtomicInteger givenUp = new AtomicInteger();
    private final long bytes;

    Records(String name, long bytes) throws IOException {
      this.bytes = bytes;
      this.memory = entered(name);
      memory.reserve(bytes);
      memory.relievedBy(this);
    }

    CompletableFuture<Void> inThread(Work work) {
      return CompletableFuture.runAsync(
          () -> {
            try {
              work.with(memory);
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
    }

    @Override
    public void cut() {}

    @Override
    public void giveUpRecords() {
      givenUp.incrementAndGet();
      memory.release(bytes);
    }

    @Override
    public void send() {}
  }

  private interface Work {

    void with(ResourceMemory memory) throws IOException;
  }
}
