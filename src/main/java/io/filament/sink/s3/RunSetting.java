package io.filament.sink.s3;

import io.filament.sink.ObjectFormat;
import io.filament.sink.s3.internal.object.PartLimits;
import io.filament.sink.s3.internal.object.UploadContext;
import io.filament.sink.s3.internal.publish.Attempt;
import io.filament.sink.s3.internal.store.RunKeys;

/**
 * What a run works with.
 *
 * @param keys where its objects go
 * @param format how they are encoded
 * @param contentEncoding what they say of their compression
 * @param parts how they are cut
 * @param attempt marks them
 * @param context what their uploads share
 */
record RunSetting(
    RunKeys keys,
    ObjectFormat format,
    ContentEncoding contentEncoding,
    PartLimits parts,
    Attempt attempt,
    UploadContext context) {}
