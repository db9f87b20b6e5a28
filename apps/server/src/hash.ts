import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

const HASH_CHUNK_BYTES = 4 * 1024 * 1024

/** The hash of a file, computed in chunks so that other requests are answered in between. */
export async function hashBytes(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < content.byteLength; at += HASH_CHUNK_BYTES) {
    if (at > 0) await setImmediate()
    hash.update(content.subarray(at, at + HASH_CHUNK_BYTES))
  }
  return hash.digest('hex')
}

/** The same text for equal values, whatever the order of their keys. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  )
