import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type AllocationInput, allocateEnergy } from '../src/kernel/allocate.ts'
import { sliceCurves, sliceSpans } from '../src/kernel/allocation-input.ts'
import { createInput, createKey, createPoints, isMethod, STEPS } from './operation.ts'

/**
 * Runs one method on all cores, each on a range of the steps, with curves in shared memory. Prints one line of JSON.
 */
export type ThreadedMeasure = {
  threads: number
  /** Elapsed time: with all threads, with one, and of a plain copy by one thread. */
  all: number
  one: number
  copy: number
  /** Processor time of the busiest thread and of a copy: the elapsed time on a machine with nothing else to do. */
  busiest: number
  copyBusy: number
}

const ROUNDS = 7

const sliceInput = ({ producers, consumers, keys }: AllocationInput, from: number, to: number): AllocationInput => ({
  steps: to - from,
  producers: sliceCurves(producers, from, to),
  consumers: sliceCurves(consumers, from, to),
  keys: sliceSpans(keys, from, to),
})

type DoneMessage = { allocated: Int32Array[]; busy: number }

/** Transfers the result of each consumer to the caller, as a task of the server does. */
function serveAllocations(input: AllocationInput): void {
  parentPort?.on('message', () => {
    const before = process.threadCpuUsage()
    const { allocated } = allocateEnergy(input)
    const done: DoneMessage = { allocated, busy: getCpuMsSince(before) }
    const moved = allocated.map(({ buffer }) => buffer as ArrayBuffer) // made by the kernel
    parentPort?.postMessage(done, moved)
  })
}

function getCpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const toSharedArray = (values: Int32Array): Int32Array => {
  const own = new Int32Array(new SharedArrayBuffer(values.byteLength))
  own.set(values)
  return own
}

/** The input in shared memory, and the same curves in unshared memory, which is faster to copy. */
function prepareInput(): { input: AllocationInput; curves: Int32Array[] } {
  const method = process.argv[2]
  if (!isMethod(method)) throw new Error(`unknown method: ${method}`)
  const { producers, consumers } = createPoints()
  const key = createKey(method)
  const share = (points: typeof producers) => points.map((point) => ({ ...point, values: toSharedArray(point.values) }))
  const curves = consumers.map(({ values }) => values)
  if (key.method === 'simple') curves.push(...Object.values(key.coefficients))
  return { input: createInput({ producers: share(producers), consumers: share(consumers) }, key), curves }
}

/** Elapsed time and processor time of this thread in milliseconds, and the result of the work. */
async function measureClock<T>(work: () => T | Promise<T>): Promise<{ clock: number; busy: number; made: T }> {
  globalThis.gc?.()
  const [from, before] = [performance.now(), process.threadCpuUsage()]
  const made = await work()
  return { clock: performance.now() - from, busy: getCpuMsSince(before), made }
}

function startThreads(input: AllocationInput): Worker[] {
  const threads = availableParallelism()
  const cut = (n: number) => Math.round((n * STEPS) / threads)
  return Array.from(
    { length: threads },
    (_, n) => new Worker(new URL(import.meta.url), { workerData: sliceInput(input, cut(n), cut(n + 1)) }),
  )
}

async function measureThreads(): Promise<ThreadedMeasure> {
  const { input, curves } = prepareInput()
  const workers = startThreads(input)
  const divide = () =>
    Promise.all(
      workers.map((worker) => {
        const { promise, resolve, reject } = Promise.withResolvers<DoneMessage>()
        worker.once('message', resolve).once('error', reject)
        worker.postMessage('go')
        return promise
      }),
    )
  const rounds: Omit<ThreadedMeasure, 'threads'>[] = []
  // Rounds alternate, so that other load weighs on all; the first two warm up the compiler.
  for (let round = -2; round < ROUNDS; round++) {
    const copy = await measureClock(() => curves.map((own) => own.slice()))
    const one = await measureClock(() => allocateEnergy(input))
    const all = await measureClock(divide)
    const busiest = Math.max(...all.made.map(({ busy }) => busy))
    const times = { all: all.clock, one: one.clock, copy: copy.clock, busiest, copyBusy: copy.busy }
    if (round >= 0) rounds.push(times)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
  const getLeast = (what: keyof (typeof rounds)[number]) => Math.min(...rounds.map((times) => times[what]))
  return {
    threads: workers.length,
    all: getLeast('all'),
    one: getLeast('one'),
    copy: getLeast('copy'),
    busiest: getLeast('busiest'),
    copyBusy: getLeast('copyBusy'),
  }
}

if (isMainThread) console.log(JSON.stringify(await measureThreads()))
else serveAllocations(workerData)
