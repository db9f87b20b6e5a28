/** What the packing hands on at once: by its own 16 kB a copy is mostly the passing on of pieces. */
export const CHUNK = 256 * 1024

/** Takes from a stream of pieces as many bytes as are asked for; undefined where it ends before. */
export function bytesOf(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async (size: number) => {
    const parts = [held]
    let have = held.length
    while (have < size) {
      const { value, done } = await pieces.next()
      if (done) break
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      have += value.byteLength
    }
    held = parts.length > 1 ? Buffer.concat(parts) : held
  }
  return {
    async take(size: number): Promise<Buffer | undefined> {
      if (held.length < size) await more(size)
      if (held.length < size) return undefined
      const taken = held.subarray(0, size)
      held = held.subarray(size)
      return taken
    },
  }
}
