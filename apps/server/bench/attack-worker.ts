import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** One tenant at its worst: everything is sent at once, and how it was answered is counted. */
/** Shared, not copied: the server runs on the thread that would copy it. */
export type Shot = { method: string; path: string; body?: SharedArrayBuffer; json?: boolean }
export type Attack = { port: number; token: string; shots: Shot[]; trickles: number; seconds: number }

const { port, token, shots, trickles, seconds }: Attack = workerData
const agent = new Agent()

const send = ({ method, path, body, json }: Shot) =>
  new Promise<string>((resolve) => {
    const type = json ? 'application/json' : 'application/octet-stream'
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) }
    const call = request({ agent, method, port, path, host: '127.0.0.1', headers }, (answer) => {
      answer.on('error', () => resolve('coupé')).resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
    })
    call.on('error', () => resolve('coupé')).setTimeout(seconds * 1000, () => call.destroy())
    call.end(body && Buffer.from(new Uint8Array(body)))
  })

/** A head that is never finished, or a body that comes byte by byte. */
const trickle = (n: number) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const head = `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
    socket.write(n % 2 ? head : `${head}Content-Length: 5000\r\n\r\n`)
    const timer = setInterval(() => socket.write(n % 2 ? `X-${n}: a\r\n` : 'a'), 1000)
    const end = (how: string) => {
      clearInterval(timer)
      socket.destroy()
      resolve(how)
    }
    socket
      .on('error', () => end('fermée'))
      .on('close', () => end('fermée'))
      .resume()
    setTimeout(() => end('encore ouverte'), seconds * 1000)
  })

const answers: Record<string, number> = {}
await Promise.all(
  [...shots.map(send), ...Array.from({ length: trickles }, (_, n) => trickle(n))].map(async (answer) => {
    const how = await answer
    answers[how] = (answers[how] ?? 0) + 1
  }),
)
agent.destroy()
parentPort?.postMessage(answers)
parentPort?.close()
