import { type Columns, SIDES, type Side, UNSEEN } from './buckets.ts'

/** How a column is written: nothing but zeros, one value throughout, whole numbers of four bytes, or of eight. */
const ZERO = 0
const SAME = 1
const SHORT = 2
const LONG = 3
const MOST = 2 ** 31
const NAMES = ['read', 'known', 'local', 'rest', 'held', 'heldRest'] as const

function packColumn(values: ArrayLike<number>, from: number, to: number): Buffer {
  const all = Array.from({ length: to - from }, (_, at) => values[from + at] ?? 0)
  const [first = 0] = all
  if (all.every((value) => value === first)) {
    if (first === 0) return Buffer.of(ZERO)
    const same = Buffer.alloc(9)
    same.writeUInt8(SAME)
    same.writeDoubleLE(first, 1)
    return same
  }
  const short = all.every((value) => Math.abs(value) < MOST)
  const numbers = short ? Int32Array.from(all) : Float64Array.from(all)
  return Buffer.concat([Buffer.of(short ? SHORT : LONG), Buffer.from(numbers.buffer)])
}

/** The steps [from, to) of the columns as bytes; null where nothing is known of any of them. */
export function packSteps(columns: Columns, from: number, to: number): Buffer | null {
  const parts: Buffer[] = []
  let known = false
  for (const name of SIDES) {
    const side: Side = columns[name]
    const own = NAMES.map((column) => packColumn(side[column], from, to))
    known ||= own.some((bytes) => bytes[0] !== ZERO)
    parts.push(...own)
  }
  return known ? Buffer.concat([...parts, Buffer.from(columns.marks.subarray(from, to))]) : null
}

export type PackedSide = Record<(typeof NAMES)[number], ArrayLike<number>>

function unpackColumn(bytes: Buffer, at: number, length: number): { values: ArrayLike<number>; next: number } {
  const kind = bytes.readUInt8(at)
  if (kind === ZERO) return { values: new Uint8Array(length), next: at + 1 }
  if (kind === SAME) return { values: new Float64Array(length).fill(bytes.readDoubleLE(at + 1)), next: at + 9 }
  const next = at + 1 + length * (kind === SHORT ? 4 : 8)
  // Read from the database they may lie anywhere in memory: they are copied.
  const { buffer } = Uint8Array.from(bytes.subarray(at + 1, next))
  return { values: kind === SHORT ? new Int32Array(buffer) : new Float64Array(buffer), next }
}

/** The sides in their order, and the marks. */
export function unpackSteps(bytes: Buffer, length: number): { sides: PackedSide[]; marks: Uint8Array } {
  let at = 0
  const column = () => {
    const { values, next } = unpackColumn(bytes, at, length)
    at = next
    return values
  }
  const sides = SIDES.map(
    (): PackedSide => ({
      read: column(),
      known: column(),
      local: column(),
      rest: column(),
      held: column(),
      heldRest: column(),
    }),
  )
  return { sides, marks: bytes.subarray(at, at + length) }
}

export const isSeen = (mark: number | undefined): mark is number => mark !== undefined && mark !== UNSEEN
