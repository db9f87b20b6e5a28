import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Asks at a steady pace, whether or not the last answer has come: whoever waits makes nobody else come later. */
export type Pace = { port: number; paths: string[]; perSecond: number; seconds: number }

const { port, paths, perSecond, seconds }: Pace = workerData
const agent = new Agent({ keepAlive: true })
const headers = { 'accept-encoding': 'br' }

const ask = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const from = performance.now()
    request({ agent, port, path, headers, host: '127.0.0.1' }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', () => resolve(performance.now() - from))
    })
      .on('error', reject)
      .end()
  })

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
agent.destroy()
