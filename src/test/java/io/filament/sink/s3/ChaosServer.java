package io.filament.sink.s3;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import io.filament.sink.s3.internal.store.ShortWaits;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.s3.S3Client;

/** Buckets behind HTTP and the sink's own client; one server and one client for all runs. */
final class ChaosServer implements AutoCloseable {

  private static final int ATTEMPTS = 3;
  // What ends a stall. A busy machine may need longer for an honest answer: that is one more fault.
  private static final Duration SHORT_SILENCE = Duration.ofMillis(250);
  private static final Duration LONG_SILENCE = Duration.ofSeconds(30);
  private static final int CONNECTIONS = 24;

  private final FaultServer server = FaultServer.start();
  private final S3Client impatient;
  private final S3Client patient;

  ChaosServer() throws SinkException {
    this.impatient = ShortWaits.client(server.uri(), ATTEMPTS, SHORT_SILENCE, CONNECTIONS);
    this.patient = ShortWaits.client(server.uri(), ATTEMPTS, LONG_SILENCE, CONNECTIONS);
  }

  /** Makes the empty bucket of a plan. */
  ChaosStore open(ChaosPlan plan, ChaosWire wire) {
    return new Bucket(server.createBucket("chaos-" + plan.seed(), wire.profile()), plan, wire);
  }

  @Override
  public void close() {
    impatient.close();
    patient.close();
    server.close();
  }

  /** The bucket of one run. */
  private final class Bucket implements ChaosStore {

    private final ServedBucket bucket;
    private final ChaosWire wire;
    private final List<Fault.Stall> stalls = new ArrayList<>();
    private final Set<Upload> told = ConcurrentHashMap.newKeySet();
    private final ObjectStore port;
    private volatile ObjectStore current;

    Bucket(ServedBucket bucket, ChaosPlan plan, ChaosWire wire) {
      this.bucket = bucket;
      this.wire = wire;
      this.current = through(wire.stalls() || plan.disturbance().held() ? impatient : patient);
      this.port = new ToldUploads(() -> current, told::add);
    }

    private ObjectStore through(S3Client client) {
      return SdkObjectStore.of(client, bucket.name()).at(wire.level());
    }

    @Override
    public ObjectStore port() {
      return port;
    }

    @Override
    public void putNeighbour(String key, byte[] content) {
      bucket.put(key, content);
    }

    @Override
    public void startNeighbour(String key) {
      bucket.start(key);
    }

    @Override
    public void plan() {
      for (ChaosWireFault fault : wire.faults()) {
        Fault made = fault.make();
        if (made instanceof Fault.Stalled stalled) {
          stalls.add(stalled.stall());
        }
        bucket.plan(fault.target()::matches, fault.first(), fault.last(), made);
      }
    }

    @Override
    public Hang hang(ChaosPlan.Disturbance planned) {
      Fault.Stall stall = new Fault.Stall();
      stalls.add(stall);
      Fault.Point point = planned.answer() ? Fault.Point.CARRIED_OUT : Fault.Point.REQUEST_READ;
      bucket.plan(
          ChaosWireFault.Target.of(planned.operation())::matches,
          planned.nth(),
          planned.nth(),
          new Fault.Stalled(point, stall));
      return new Hang() {
        @Override
        public void awaitReached() throws InterruptedException {
          stall.awaitReached();
        }

        @Override
        public boolean isReached() {
          return stall.isReached();
        }

        @Override
        public void release() {
          stall.release();
        }
      };
    }

    /** An interrupt is kept until all is quiet: requests are on their way already. */
    @Override
    public void deliverDelayed() throws IOException {
      boolean interrupted = Thread.interrupted();
      stalls.forEach(Fault.Stall::release);
      try {
        server.awaitQuiet(bucket.name());
      } catch (InterruptedException e) {
        throw new InterruptedIOException("the run is interrupted while it ends");
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void heal() {
      bucket.heal();
      current = through(patient);
    }

    @Override
    public int struck() {
      return bucket.struck();
    }

    @Override
    public String bucket() {
      return bucket.name();
    }

    @Override
    public SortedSet<String> keys() {
      return bucket.keys();
    }

    @Override
    public byte[] content(String key) {
      return bucket.content(key);
    }

    @Override
    public List<Upload> openUploads() {
      return bucket.openUploads();
    }

    @Override
    public boolean isStruckBelow(String prefix) {
      return bucket.asked().stream()
          .anyMatch(
              request -> request.key().startsWith(prefix) && (request.struck() || request.retry()));
    }

    /** A start that was sent again was not answered the first time, or not in time. */
    @Override
    public boolean isUntold(Upload upload) {
      return !told.contains(upload)
          && bucket.asked(S3Operation.CREATE_MULTIPART_UPLOAD).stream()
              .filter(request -> request.key().equals(upload.key()))
              .anyMatch(request -> request.struck() || request.retry());
    }
  }
}
