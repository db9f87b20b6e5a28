import { allocateEnergy } from '../src/kernel/allocate.ts'
import { computePairs } from '../src/kernel/pairs.ts'
import { createInput, createKey, createPoints, inputBytes, isMethod, STEPS } from './operation.ts'

/** Measures one method in a process of its own, so that peak memory is its own too. Prints one line of JSON. */
export type MethodMeasure = { first: number; best: number; copy: number; ratio: number; memory: number; pairs?: number }

const ROUNDS = 5
const [, , method, option] = process.argv
if (!isMethod(method)) throw new Error(`unknown method: ${method}`)

/** Processor time of this thread in milliseconds, so that other load on the machine does not distort it. */
const measureCpuMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
const measureBestMs = (work: () => unknown) => Math.min(...Array.from({ length: ROUNDS }, () => measureCpuMs(work)))

const idle = process.memoryUsage().rss
const points = createPoints(option === 'endless')
const key = createKey(method)
const input = createInput(points, key)
const first = measureCpuMs(() => allocateEnergy(input))
const memory = (process.resourceUsage().maxRSS * 1024 - idle) / inputBytes(points, key)
/** The curves an allocation must read at least, as many as it must write. */
const curves = points.consumers.map(({ values }) => values)
if (key.method === 'simple') curves.push(...Object.values(key.coefficients))
const [copies, runs]: [number[], number[]] = [[], []]
// Rounds alternate, so that other load weighs on both; the garbage of one must not be collected in the other's time.
for (let round = 0; round < ROUNDS; round++) {
  globalThis.gc?.()
  copies.push(measureCpuMs(() => curves.map((values) => values.slice())))
  globalThis.gc?.()
  runs.push(measureCpuMs(() => allocateEnergy(input)))
}
const measure: MethodMeasure = {
  first,
  best: Math.min(...runs),
  copy: Math.min(...copies),
  ratio: Math.min(...runs) / Math.min(...copies),
  memory,
}
if (option === 'pairs') {
  const allocation = allocateEnergy(input)
  const buckets = Uint16Array.from({ length: STEPS }, (_, at) => Math.floor((at * 12) / STEPS))
  measure.pairs = measureBestMs(() => computePairs({ allocation, ...input }, buckets, 12))
}
console.log(JSON.stringify(measure))
