import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Somebody else on the same server: asks a few addresses over and over, and says how long the worst answer took. */
export type Neighbour = { port: number; token: string; paths: string[] }
export type Felt = Record<string, { worst: number; asked: number }>

const { port, token, paths }: Neighbour = workerData
const agent = new Agent({ keepAlive: true })
const headers = { authorization: `Bearer ${token}` }
const EVERY_MS = 40

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

let felt: Felt = {}
parentPort?.on('message', (word: 'begin' | 'tell') => {
  if (word === 'begin') felt = {}
  else parentPort?.postMessage(felt)
})

const follow = async (path: string) => {
  for (;;) {
    const took = await ask(path)
    const { worst, asked } = felt[path] ?? { worst: 0, asked: 0 }
    felt[path] = { worst: Math.max(worst, took), asked: asked + 1 }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
await Promise.all(paths.map(follow))
