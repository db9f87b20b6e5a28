import { type EnergyColumns, SIDE_NAMES, type SideColumns } from './buckets.ts'
import { COLUMN_NAMES, packColumn } from './step-pack.ts'

/** Each column of each side has a number, followed by the marks. */
export const MARKS_PART = SIDE_NAMES.length * COLUMN_NAMES.length
export const ALL_HOUR_PARTS = Array.from({ length: MARKS_PART + 1 }, (_, part) => part)

export const getHourPart = (side: (typeof SIDE_NAMES)[number], name: (typeof COLUMN_NAMES)[number]) =>
  SIDE_NAMES.indexOf(side) * COLUMN_NAMES.length + COLUMN_NAMES.indexOf(name)

const getColumnOfPart = (columns: EnergyColumns, part: number): Float64Array | Uint32Array | undefined => {
  const [side, name] = [SIDE_NAMES[Math.floor(part / COLUMN_NAMES.length)], COLUMN_NAMES[part % COLUMN_NAMES.length]]
  if (!side || !name) return undefined
  const own: SideColumns = columns[side]
  return own[name]
}

const isPackedZeros = (bytes: Buffer) => bytes.length === 1

/** The columns as stored, without those that are all zero. */
export function packHours(columns: EnergyColumns): { part: number; packed: Buffer }[] {
  const { length } = columns.starts
  const parts = ALL_HOUR_PARTS.slice(0, MARKS_PART).flatMap((part) => {
    const packed = packColumn(getColumnOfPart(columns, part) ?? [], 0, length)
    return isPackedZeros(packed) ? [] : [{ part, packed }]
  })
  return [...parts, { part: MARKS_PART, packed: Buffer.from(columns.marks) }]
}

/** Adds `count` hours of a stored column, from its index `from`, to the sums from hour `to`. */
export function addPackedHours(
  columns: EnergyColumns,
  part: number,
  packed: Buffer,
  from: number,
  count: number,
  to: number,
): void {
  const sums = getColumnOfPart(columns, part)
  if (!sums) return
  const view = new DataView(packed.buffer, packed.byteOffset + 1, packed.byteLength - 1)
  const valueAt = VALUE_READERS[packed.readUInt8(0)]
  if (!valueAt) return
  for (let at = 0; at < count; at++) sums[to + at] = (sums[to + at] ?? 0) + valueAt(view, from + at)
}

/** By the formats of `packColumn`: zeros, one constant value, 4-byte integers, or 8-byte floats. */
const VALUE_READERS: (((view: DataView, at: number) => number) | undefined)[] = [
  undefined,
  (view) => view.getFloat64(0, true),
  (view, at) => view.getInt32(at * 4, true),
  (view, at) => view.getFloat64(at * 8, true),
]
