import { type Columns, SIDES, type Side } from './buckets.ts'
import { NAMES, packColumn } from './step-pack.ts'

/** Every column of every side has its number, and the marks come after them. */
export const MARKS = SIDES.length * NAMES.length
export const EVERY_PART = Array.from({ length: MARKS + 1 }, (_, part) => part)

export const partOf = (side: (typeof SIDES)[number], name: (typeof NAMES)[number]) =>
  SIDES.indexOf(side) * NAMES.length + NAMES.indexOf(name)

const columnOf = (columns: Columns, part: number): Float64Array | Uint32Array | undefined => {
  const [side, name] = [SIDES[Math.floor(part / NAMES.length)], NAMES[part % NAMES.length]]
  if (!side || !name) return undefined
  const own: Side = columns[side]
  return own[name]
}

const isEmpty = (bytes: Buffer) => bytes.length === 1

/** The columns as they are kept, those of nothing but zeros left out. */
export function packHours(columns: Columns): { part: number; packed: Buffer }[] {
  const { length } = columns.starts
  const parts = EVERY_PART.slice(0, MARKS).flatMap((part) => {
    const packed = packColumn(columnOf(columns, part) ?? [], 0, length)
    return isEmpty(packed) ? [] : [{ part, packed }]
  })
  return [...parts, { part: MARKS, packed: Buffer.from(columns.marks) }]
}

/** Adds `count` hours of a kept column, from its nth, to the sums from the hour `to`. */
export function addHours(
  columns: Columns,
  part: number,
  packed: Buffer,
  from: number,
  count: number,
  to: number,
): void {
  const sums = columnOf(columns, part)
  if (!sums) return
  const view = new DataView(packed.buffer, packed.byteOffset + 1, packed.byteLength - 1)
  const valueAt = VALUES[packed.readUInt8(0)]
  if (!valueAt) return
  for (let at = 0; at < count; at++) sums[to + at] = (sums[to + at] ?? 0) + valueAt(view, from + at)
}

/** As `packColumn` writes them: zeros, one value throughout, numbers of four bytes, or of eight. */
const VALUES: (((view: DataView, at: number) => number) | undefined)[] = [
  undefined,
  (view) => view.getFloat64(0, true),
  (view, at) => view.getInt32(at * 4, true),
  (view, at) => view.getFloat64(at * 8, true),
]
