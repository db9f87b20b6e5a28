import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** Forwards one direction, each chunk delayed, in order. */
function pipeDelayed(from: Socket, to: Socket, delayMs: number) {
  from.on('data', (piece) => void setTimeout(() => to.writable && to.write(piece), delayMs))
  from.on('error', () => {})
  from.on('close', () => void setTimeout(() => to.destroy(), delayMs))
}

/** A proxy to PostgreSQL that delays every statement, as a distant or overloaded database would. */
export async function startSlowProxy(to: NetConnectOpts, delayMs: number) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const behind = connect(to)
    for (const one of [client, behind]) sockets.add(one.on('close', () => sockets.delete(one)))
    pipeDelayed(client, behind, delayMs)
    pipeDelayed(behind, client, 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close() {
      for (const one of sockets) one.destroy()
      server.close()
    },
  }
}
