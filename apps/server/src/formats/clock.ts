import type { RawFile } from './raw.ts'
import { type ParsedStamp, parseStamp } from './stamp.ts'

/**
 * Reads the stamps of one file. A file names an offset in all of its stamps or in none: a stamp of the other kind is
 * unreadable, for nothing tells what it means.
 */
export function createStampClock(file: Pick<RawFile, 'zoned'>) {
  const out: ParsedStamp = { minute: 0, offset: null, seconds: 0 }
  return {
    out,
    /** The minute, or the reason why there is none. */
    read(bytes: Uint8Array, from: number, to: number): number | 'unreadable' | 'off-step' {
      if (!parseStamp(bytes, from, to, out)) return 'unreadable'
      const zoned = out.offset !== null
      file.zoned ??= zoned
      if (file.zoned !== zoned) return 'unreadable'
      if (out.seconds !== 0) return 'off-step'
      return out.minute - (out.offset ?? 0)
    },
  }
}
export type StampClock = ReturnType<typeof createStampClock>
