import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Asks one address as fast as it answers, over a fixed number of kept connections, from a thread of its own. */
export type Load = { port: number; path: string; token: string; connections: number; milliseconds: number }

const { port, path, token, connections, milliseconds }: Load = workerData
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const options = { agent, port, path, host: '127.0.0.1', headers: { authorization: `Bearer ${token}` } }

const ask = () =>
  new Promise<void>((resolve, reject) => {
    request(options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    })
      .on('error', reject)
      .end()
  })

const from = performance.now()
let answered = 0
const run = async () => {
  while (performance.now() - from < milliseconds) {
    await ask()
    answered++
  }
}
await Promise.all(Array.from({ length: connections }, run))
parentPort?.postMessage(answered / ((performance.now() - from) / 1000))
agent.destroy()
