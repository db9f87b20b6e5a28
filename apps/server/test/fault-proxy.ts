import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { APPLICATION_ROLE, OWNER_ROLE } from '../src/db/embedded-cluster.ts'
import { replaceHostAndPort } from './cluster.ts'
import { findClusterDatabase, readPostmaster } from './process.ts'

type SocketPair = { client: Socket; behind: Socket }

/** A proxy before PostgreSQL that can be closed, become silent, and open again. */
export async function startFaultProxy(first: NetConnectOpts) {
  let to = first
  const pairs = new Set<SocketPair>()
  let state: 'open' | 'shut' | 'silent' = 'open'

  const linkPair = ({ client, behind }: SocketPair) => {
    client.pipe(behind)
    behind.pipe(client)
  }
  const unlinkPair = ({ client, behind }: SocketPair) => {
    client.unpipe().pause()
    behind.unpipe().pause()
  }
  const cutAll = () => {
    for (const { client, behind } of pairs) {
      client.destroy()
      behind.destroy()
    }
  }
  const server = createServer((client) => {
    if (state === 'shut') return client.destroy()
    const pair = { client, behind: connect(to) }
    pairs.add(pair)
    for (const [one, other] of [
      [pair.client, pair.behind],
      [pair.behind, pair.client],
    ] as const)
      one
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair)
          other.destroy()
        })
    if (state === 'open') linkPair(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    open: () => {
      // Silent connections stay silent, as after a lost route: only new ones pass.
      state = 'open'
    },
    shut: () => {
      state = 'shut'
      cutAll()
    },
    /** Forwards to another server from now on, and cuts existing connections, as when an address moves. */
    leadTo: (other: NetConnectOpts) => {
      to = other
      cutAll()
    },
    /** Nothing passes any more, in either direction, without an error. */
    silence: () => {
      state = 'silent'
      for (const pair of pairs) unlinkPair(pair)
    },
    /** The same for the latest connection only. */
    silenceLast: () => {
      const last = [...pairs].at(-1)
      if (last) unlinkPair(last)
    },
    /** Silent connections continue. */
    resume: () => {
      state = 'open'
      for (const pair of pairs) linkPair(pair)
    },
    close: () => server.close(),
  }
}

/** A proxy before the database of this folder's server, and the URLs that use it. */
export async function startDatabaseProxy(dataDir: string) {
  const clusterDatabase = findClusterDatabase(dataDir)
  const { hostname: host, port } = new URL(clusterDatabase?.url ?? 'postgres://localhost')
  const target = clusterDatabase ? { host, port: Number(port || 5432) } : { path: await getSocketPath(dataDir) }
  const proxy = await startFaultProxy(target)
  const viaProxy = (url: string) => replaceHostAndPort(url, { host: '127.0.0.1', port: proxy.port })
  const url = viaProxy(clusterDatabase?.url ?? `postgres://${APPLICATION_ROLE}@localhost/voisol`)
  const ownerUrl = viaProxy(clusterDatabase?.ownerUrl ?? `postgres://${OWNER_ROLE}@localhost/voisol`)
  return { ...proxy, url, ownerUrl, env: { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } }
}

const getSocketPath = async (dataDir: string) => join((await readPostmaster(dataDir)).socket, '.s.PGSQL.5432')

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
