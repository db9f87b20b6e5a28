import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Sends the same write again and again over a few kept connections, from a thread of its own. */
export type Write = { method: string; path: string; body: unknown }
export type Writes = Write & { port: number; token: string; count: number }

const CONNECTIONS = 4
const { port, token, count, method, path, body }: Writes = workerData
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const options = { agent, port, headers, method, path, host: '127.0.0.1' }
const payload = JSON.stringify(body)

const write = () =>
  new Promise<void>((resolve, reject) => {
    request(options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    })
      .on('error', reject)
      .end(payload)
  })

let left = count
const run = async () => {
  while (left-- > 0) await write()
}
await Promise.all(Array.from({ length: CONNECTIONS }, run))
parentPort?.postMessage(count)
agent.destroy()
