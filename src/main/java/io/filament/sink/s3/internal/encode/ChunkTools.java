package io.filament.sink.s3.internal.encode;

/**
 * What the columns of a file share while they write their chunks, one after the other.
 *
 * @param compressor compresses pages
 * @param dictionary finds the values of a chunk's dictionary
 * @param page the page that is being put together
 */
record ChunkTools(PageCompressor compressor, ChunkDictionary dictionary, PageBytes page) {

  static ChunkTools with(PageCompressor compressor) {
    return new ChunkTools(
        compressor, new ChunkDictionary(), new PageBytes(OpenPage.MAX_BYTES + OpenPage.MAX_ROWS));
  }
}
