import { createServer, type Socket } from 'node:net'

/**
 * A TCP server that accepts every connection and never answers; with `beginning`, it sends that first and then nothing
 * more.
 */
export async function startSilentServer(beginning = '') {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (beginning) socket.write(beginning)
    socket.resume()
  })
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    /** Number of connections so far. */
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
