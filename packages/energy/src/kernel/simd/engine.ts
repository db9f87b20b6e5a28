import { assembleModule } from './assembler.ts'
import { capRoutines } from './cap.ts'
import { levelRoutines } from './levels.ts'
import * as lines from './lines.ts'
import { pairRoutines } from './pairs.ts'
import { remainderRoutines } from './remainders.ts'
import { rowRoutines } from './rows.ts'

type Floors = (need: number, weight: number, floor: number, rest: number, end: number) => void
type Full = (need: number, end: number, stride: number, weight: number, weightStride: number) => void
type Routines = {
  /** A row, the table of bands and where it ends, the first line of its member, and the size of a band. */
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
  /** Rows and where they end and follow one another, producers and where they end, sums, and from one producer's to the next's. */
  give: (...places: [number, number, number, number, number, number, number]) => void
  /** Producers' rows and from one to the next, needs, what is kept of all, where the needs end, and room for remainders. */
  cap: (...places: [number, number, number, number, number, number, number]) => void
  near: (rest: number, end: number, found: number) => number
  place: (need: number, floor: number, rest: number, end: number) => void
}

/** As much of it as is used here: it is the platform's, not the language's. */
declare const WebAssembly: {
  Memory: new (of: { initial: number }) => { buffer: ArrayBuffer; grow: (pages: number) => number }
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object, imports: object) => { exports: object }
}

const PAGE = 2 ** 16
const memory = new WebAssembly.Memory({ initial: 2 ** 8 })

/** What the routines promise is what their definitions say. */
export const routines = new WebAssembly.Instance(
  new WebAssembly.Module(
    assembleModule([...rowRoutines, ...remainderRoutines, ...levelRoutines, ...pairRoutines, ...capRoutines]),
  ),
  { own: { memory } },
).exports as Routines

/** The figures of each step, and all of the memory. */
export type KernelMemory = {
  ints: Int32Array
  doubles: Float64Array
  ratio: Float64Array
  /** In the place of the ratios. */
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

/** At least so many bytes: a division works in the same memory as the one before it. */
export function ensureKernelMemory(bytes: number): KernelMemory {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) {
    memory.grow(Math.ceil(missing / PAGE))
    memoryViews = createMemoryViews()
  }
  return memoryViews
}
