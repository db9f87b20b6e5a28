import { parentPort, workerData } from 'node:worker_threads'
import { createAsker } from './timed-request.ts'

/** Asks at a steady pace, whether or not the last answer has come: whoever waits makes nobody else come later. */
export type Pace = { port: number; paths: string[]; perSecond: number; seconds: number }

const { port, paths, perSecond, seconds }: Pace = workerData
const { ask, close } = createAsker(port, { 'accept-encoding': 'br' })

const total = perSecond * seconds
const begun: Promise<number>[] = []
const from = performance.now()
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - from) / 1000) * perSecond))
    while (begun.length < due) begun.push(ask(paths[begun.length % paths.length] ?? '/'))
    if (begun.length < total) return
    clearInterval(timer)
    resolve()
  }, 2)
})
parentPort?.postMessage(await Promise.all(begun))
close()
