import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const LOOK_MS = 100

/** What stands before several processes: it asks each whether it is ready, and gives a call to one that is. */
export async function openBalancer() {
  const targets = new Map<string, boolean>()
  let turn = 0
  const look = async (base: string) => {
    const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => {})
    if (targets.has(base)) targets.set(base, answer?.ok ?? false)
  }
  const timer = setInterval(() => {
    for (const base of targets.keys()) void look(base)
  }, LOOK_MS)
  const server = createServer((asked, answer) => {
    const ready = [...targets].filter(([, is]) => is).map(([base]) => base)
    const base = ready[turn++ % ready.length]
    if (!base) return void answer.writeHead(503).end()
    const { method, headers, url } = asked
    const passed = request(new URL(url ?? '/', base), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    base: `http://127.0.0.1:${port}`,
    add: (base: string) => void targets.set(base, false),
    isReady: (base: string) => targets.get(base) === true,
    close() {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}
