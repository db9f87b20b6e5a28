import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type AllocationInput, allocate } from '../src/kernel/allocate.ts'
import { sliceCurves, sliceSpans } from '../src/kernel/slices.ts'
import { createInput, createKey, createPoints, isMethod, STEPS } from './operation.ts'

/** One method by all cores, each a range of the steps, on curves that the threads share. Prints one line of JSON. */
export type Threaded = { threads: number; one: number; all: number; copy: number; ratio: number }

const ROUNDS = 7

const sliceInput = ({ producers, consumers, keys }: AllocationInput, from: number, to: number): AllocationInput => ({
  steps: to - from,
  producers: sliceCurves(producers, from, to),
  consumers: sliceCurves(consumers, from, to),
  keys: sliceSpans(keys, from, to),
})

/** What each consumer got is handed over, as a task does; the garbage of a round is not the next one's. */
function serve(input: AllocationInput): void {
  parentPort?.on('message', () => {
    const { allocated } = allocate(input)
    parentPort?.postMessage(
      allocated,
      allocated.map(({ buffer }) => buffer as ArrayBuffer), // made by the kernel
    )
  })
}

const shared = (values: Int32Array): Int32Array => {
  const own = new Int32Array(new SharedArrayBuffer(values.byteLength))
  own.set(values)
  return own
}

function sharedInput(): AllocationInput {
  const method = process.argv[2]
  if (!isMethod(method)) throw new Error(`unknown method: ${method}`)
  const { producers, consumers } = createPoints()
  const share = (points: typeof producers) => points.map((point) => ({ ...point, values: shared(point.values) }))
  return createInput({ producers: share(producers), consumers: share(consumers) }, createKey(method))
}

/** Milliseconds on the clock: a copy by one thread beside a division by all of them. */
async function timed(work: () => unknown): Promise<number> {
  globalThis.gc?.()
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function measure(): Promise<Threaded> {
  const input = sharedInput()
  const threads = availableParallelism()
  const cut = (n: number) => Math.round((n * STEPS) / threads)
  const workers = Array.from(
    { length: threads },
    (_, n) => new Worker(new URL(import.meta.url), { workerData: sliceInput(input, cut(n), cut(n + 1)) }),
  )
  const divide = () =>
    Promise.all(
      workers.map((worker) => {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>()
        worker.once('message', resolve).once('error', reject)
        worker.postMessage('go')
        return promise
      }),
    )
  const curves = input.consumers.map(({ values }) => values)
  const [one, all, copies]: number[][] = [[], [], []]
  // The first rounds are the compiler's.
  for (let round = -2; round < ROUNDS; round++) {
    const times = [
      await timed(() => curves.map((own) => own.slice())),
      await timed(() => allocate(input)),
      await timed(divide),
    ]
    if (round >= 0) for (const [n, list] of [copies, one, all].entries()) list?.push(times[n] ?? 0)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
  const least = (times: number[] = []) => Math.min(...times)
  return { threads, one: least(one), all: least(all), copy: least(copies), ratio: least(all) / least(copies) }
}

if (isMainThread) console.log(JSON.stringify(await measure()))
else serve(workerData)
