import { Agent, request } from 'node:http'

/** Asks an address of the local server, and says how long its answer took; any other than 200 is a fault. */
export function createAsker(port: number, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true })
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
  return { ask, close: () => agent.destroy() }
}
