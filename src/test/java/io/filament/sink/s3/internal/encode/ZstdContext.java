package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Tells who is in it, and keeps them there until a gate opens. */
final class ZstdContext extends ZstdCompressCtx {

  final List<String> callers = Collections.synchronizedList(new ArrayList<>());
  final CountDownLatch isIn = new CountDownLatch(1);
  volatile CountDownLatch gate = new CountDownLatch(0);
  volatile RuntimeException failure;
  volatile boolean isClosed;

  @Override
  public boolean compressByteBufferStream(ByteBuffer to, ByteBuffer from, EndDirective how) {
    callers.add(Thread.currentThread().getName());
    isIn.countDown();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (failure != null) {
      throw failure;
    }
    return super.compressByteBufferStream(to, from, how);
  }

  @Override
  public void close() {
    isClosed = true;
    super.close();
  }
}
