/** What the packing hands on at once: by its own 16 kB a copy is mostly the passing on of pieces. */
export const CHUNK_BYTES = 256 * 1024

/** Takes from a stream of pieces as many bytes as are asked for; undefined where it ends before. */
export function createByteReader(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  const fillBuffer = async (size: number) => {
    const parts = [buffered]
    let bufferedBytes = buffered.length
    while (bufferedBytes < size) {
      const { value, done } = await pieces.next()
      if (done) break
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      bufferedBytes += value.byteLength
    }
    buffered = parts.length > 1 ? Buffer.concat(parts) : buffered
  }
  return {
    async take(size: number): Promise<Buffer | undefined> {
      if (buffered.length < size) await fillBuffer(size)
      if (buffered.length < size) return undefined
      const taken = buffered.subarray(0, size)
      buffered = buffered.subarray(size)
      return taken
    },
  }
}
