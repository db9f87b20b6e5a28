import { parentPort, workerData } from 'node:worker_threads'
import { createAsker } from './timed-request.ts'

/** Somebody else on the same server: asks a few addresses over and over, and says how long the worst answer took. */
export type Neighbour = { port: number; token: string; paths: string[] }
export type Felt = Record<string, { worst: number; asked: number }>

const { port, token, paths }: Neighbour = workerData
const { ask } = createAsker(port, { authorization: `Bearer ${token}` })
const EVERY_MS = 40

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
