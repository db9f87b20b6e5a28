import type { ReadingLocation } from './raw.ts'
import type { CsvRow } from './rows.ts'

const NEWLINE = 10
const QUOTE = 34

/**
 * Rows of one point differ by their stamp and value only. What stands before and after them is compared with the last
 * row that was split, as it lies in memory: most rows of a curve are then read without being split.
 */
export function createRepeatedRowMatcher(bytes: Uint8Array, separator: number, stamp: number, value: number) {
  let start = -1
  let before = 0
  let stampLength = 0
  let after = 0
  let afterLength = 0
  return {
    /** Takes a split row as the one that the next ones repeat. */
    learn({ bounds, start: from, end, fields }: CsvRow): void {
      start = -1
      const [stampFrom = 0, stampTo = 0] = bounds.subarray(stamp * 2, stamp * 2 + 2)
      const [valueFrom = 0, valueTo = 0] = bounds.subarray(value * 2, value * 2 + 2)
      const neighbours = value === stamp + 1 && fields > value + 1 && stamp > 0
      const bare = bytes[stampFrom - 1] === separator && bytes[stampTo] === separator && valueFrom === stampTo + 1
      if (!neighbours || !bare || bytes[valueTo] !== separator || bytes[end] !== NEWLINE) return
      for (let at = from; at < end; at++) if (bytes[at] === QUOTE) return
      start = from
      before = stampFrom - from
      stampLength = stampTo - stampFrom
      after = valueTo
      afterLength = end + 1 - valueTo
    },
    /** Whether the row at `from` repeats it; `reading` then has its stamp and value. Where the next row starts, or -1. */
    match(from: number, reading: ReadingLocation): number {
      if (start < 0) return -1
      for (let n = before - 1; n >= 0; n--) if (bytes[from + n] !== bytes[start + n]) return -1
      const stampFrom = from + before
      const stampTo = stampFrom + stampLength
      if (bytes[stampTo] !== separator) return -1
      // Digits, dashes, colons, a slash, a letter: none of them cuts a row.
      for (let n = stampFrom; n < stampTo; n++) {
        const byte = bytes[n] ?? 0
        if (byte === separator || byte === NEWLINE || byte === QUOTE) return -1
      }
      let at = stampTo + 1
      for (let byte = bytes[at] ?? 0; byte >= 48 && byte <= 57; byte = bytes[at] ?? 0) at++
      for (let n = 0; n < afterLength; n++) if (bytes[at + n] !== bytes[after + n]) return -1
      reading.stampFrom = stampFrom
      reading.stampTo = stampTo
      reading.valueFrom = stampTo + 1
      reading.valueTo = at
      return at + afterLength
    },
  }
}
