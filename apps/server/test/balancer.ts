import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const PROBE_INTERVAL_MS = 100

/** A load balancer: it asks each process whether it is ready, and forwards a call to one that is. */
export async function startLoadBalancer() {
  const targets = new Map<string, boolean>()
  let nextTarget = 0
  const probeTarget = async (base: string) => {
    const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => {})
    if (targets.has(base)) targets.set(base, answer?.ok ?? false)
  }
  const timer = setInterval(() => {
    for (const base of targets.keys()) void probeTarget(base)
  }, PROBE_INTERVAL_MS)
  const server = createServer((clientRequest, answer) => {
    const ready = [...targets].filter(([, is]) => is).map(([base]) => base)
    const base = ready[nextTarget++ % ready.length]
    if (!base) return void answer.writeHead(503).end()
    const { method, headers, url } = clientRequest
    const upstreamRequest = request(new URL(url ?? '/', base), { method, headers }, (upstreamResponse) => {
      answer.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers)
      upstreamResponse.pipe(answer)
    })
    upstreamRequest.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    clientRequest.pipe(upstreamRequest)
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
