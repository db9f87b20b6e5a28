import { assembleModule } from './assembler.ts'
import { rowRoutines } from './band-rows.ts'
import { capRoutines } from './cap.ts'
import { levelRoutines } from './levels.ts'
import * as lines from './memory-layout.ts'
import { pairRoutines } from './pairs.ts'
import { remainderRoutines } from './remainders.ts'

type Floors = (need: number, weight: number, floor: number, rest: number, end: number) => void
type Full = (need: number, end: number, stride: number, weight: number, weightStride: number) => void
type Routines = {
  /** Offsets: a row, the table of bands and its end, the first line of the member, and the size of a band. */
  spread: (row: number, table: number, last: number, line: number, size: number) => void
  gather: (row: number, table: number, last: number, line: number, size: number) => void
  signs: (from: number, end: number) => number
  total: (need: number, end: number) => void
  fullByOne: (need: number, end: number, stride: number) => void
  fullByWeight: Full
  fullNearly: Full
  fullByRatio: Full
  rise: (need: number, end: number) => void
  floorsByCurve: Floors
  floorsByOne: Floors
  fillByCurve: Floors
  fillByOne: Floors
  count: (rest: number, end: number) => void
  lower: (row: number, end: number, stride: number, ratio: number, left: number) => void
  /**
   * Offsets: rows, their end and their stride; producers and their end; sums and the stride from one producer to the
   * next.
   */
  give: (...places: [number, number, number, number, number, number, number]) => void
  /** Offsets: rows of producers and their stride, needs, total kept, end of the needs, and a buffer for remainders. */
  cap: (...places: [number, number, number, number, number, number, number]) => void
  near: (rest: number, end: number, found: number) => number
  place: (need: number, floor: number, rest: number, end: number) => void
}

/** Only the part used here: these types belong to the platform, not to the language. */
declare const WebAssembly: {
  Memory: new (of: { initial: number }) => { buffer: ArrayBuffer; grow: (pages: number) => number }
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object, imports: object) => { exports: object }
}

const PAGE = 2 ** 16
const memory = new WebAssembly.Memory({ initial: 2 ** 8 })

/** The types of the routines are checked against their definitions. */
export const routines = new WebAssembly.Instance(
  new WebAssembly.Module(
    assembleModule([...rowRoutines, ...remainderRoutines, ...levelRoutines, ...pairRoutines, ...capRoutines]),
  ),
  { own: { memory } },
).exports as Routines

/** Views of the values of each step, and of the whole memory. */
export type KernelMemory = {
  ints: Int32Array
  doubles: Float64Array
  ratio: Float64Array
  /** Shares its memory with the ratios. */
  near: Float32Array
  under: Float64Array
  totals: Float64Array
  sums: Int32Array
  low: Int32Array
  high: Int32Array
  counts: Int32Array
}

function createMemoryViews(): KernelMemory {
  const integers = (at: number) => new Int32Array(memory.buffer, at, lines.BAND_STEPS)
  const doubles = (at: number) => new Float64Array(memory.buffer, at, lines.BAND_STEPS)
  return {
    ints: new Int32Array(memory.buffer),
    doubles: new Float64Array(memory.buffer),
    ratio: doubles(lines.RATIO_OFFSET),
    near: new Float32Array(memory.buffer, lines.RATIO_OFFSET, lines.BAND_STEPS),
    under: doubles(lines.DENOMINATOR_OFFSET),
    totals: doubles(lines.TOTALS_OFFSET),
    sums: integers(lines.SUMS_OFFSET),
    low: integers(lines.LOW_OFFSET),
    high: integers(lines.HIGH_OFFSET),
    counts: integers(lines.COUNTS_OFFSET),
  }
}

let memoryViews = createMemoryViews()

/** At least that many bytes: each division reuses the memory of the one before. */
export function ensureKernelMemory(bytes: number): KernelMemory {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) {
    memory.grow(Math.ceil(missing / PAGE))
    memoryViews = createMemoryViews()
  }
  return memoryViews
}
