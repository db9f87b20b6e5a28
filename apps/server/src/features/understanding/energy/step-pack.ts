import { type EnergyColumns, NO_MARK, SIDE_NAMES, type SideColumns } from './buckets.ts'

/** Format of a column: zeros, one constant value, 4-byte integers, or 8-byte floats. */
const ZERO_COLUMN = 0
const CONSTANT_COLUMN = 1
const INT32_COLUMN = 2
const FLOAT64_COLUMN = 3
const INT32_LIMIT = 2 ** 31
export const COLUMN_NAMES = ['read', 'known', 'local', 'rest', 'held', 'heldRest'] as const

export function packColumn(values: ArrayLike<number>, from: number, to: number): Buffer {
  const all = Array.from({ length: to - from }, (_, at) => values[from + at] ?? 0)
  const [first = 0] = all
  if (all.every((value) => value === first)) {
    if (first === 0) return Buffer.of(ZERO_COLUMN)
    const same = Buffer.alloc(9)
    same.writeUInt8(CONSTANT_COLUMN)
    same.writeDoubleLE(first, 1)
    return same
  }
  const short = all.every((value) => Math.abs(value) < INT32_LIMIT)
  const numbers = short ? Int32Array.from(all) : Float64Array.from(all)
  return Buffer.concat([Buffer.of(short ? INT32_COLUMN : FLOAT64_COLUMN), Buffer.from(numbers.buffer)])
}

/** Packs the steps [from, to) of the columns; null when none of them is known. */
export function packSteps(columns: EnergyColumns, from: number, to: number): Buffer | null {
  const parts: Buffer[] = []
  let known = false
  for (const name of SIDE_NAMES) {
    const side: SideColumns = columns[name]
    const own = COLUMN_NAMES.map((column) => packColumn(side[column], from, to))
    known ||= own.some((bytes) => bytes[0] !== ZERO_COLUMN)
    parts.push(...own)
  }
  return known ? Buffer.concat([...parts, Buffer.from(columns.marks.subarray(from, to))]) : null
}

/**
 * Adds a column to the sums from the bucket of its first step; called a third of a million times for a year of forty
 * operations.
 */
function addPackedColumn(
  sums: ColumnValues,
  bytes: Buffer,
  at: number,
  length: number,
  first: number,
  parts: number,
): number {
  const kind = bytes.readUInt8(at)
  if (kind === ZERO_COLUMN) return at + 1
  const same = kind === CONSTANT_COLUMN ? bytes.readDoubleLE(at + 1) : 0
  const next = kind === CONSTANT_COLUMN ? at + 9 : at + 1 + length * (kind === INT32_COLUMN ? 4 : 8)
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 1, next - at - 1)
  let bucket = Math.floor(first / parts)
  let left = parts - (first % parts)
  for (let step = 0; step < length; step++) {
    const value =
      kind === CONSTANT_COLUMN
        ? same
        : kind === INT32_COLUMN
          ? view.getInt32(step * 4, true)
          : view.getFloat64(step * 8, true)
    sums[bucket] = (sums[bucket] ?? 0) + value
    if (--left > 0) continue
    bucket++
    left = parts
  }
  return next
}

type ColumnValues = Float64Array | Uint32Array

/** Adds a packed day to the columns, `parts` steps per bucket from the step `first`; returns its marks. */
export function addPackedSteps(
  bytes: Buffer,
  length: number,
  columns: EnergyColumns,
  first: number,
  parts: number,
): Uint8Array {
  let at = 0
  for (const name of SIDE_NAMES) {
    const side: SideColumns = columns[name]
    for (const column of COLUMN_NAMES) at = addPackedColumn(side[column], bytes, at, length, first, parts)
  }
  return bytes.subarray(at, at + length)
}

export const hasMark = (mark: number | undefined): mark is number => mark !== undefined && mark !== NO_MARK
