import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { APPLICATION, OWNER } from '../src/db/embedded-connection.ts'
import { onMachine } from './cluster.ts'
import { onCluster, postmaster } from './process.ts'

type Pair = { client: Socket; behind: Socket }

/** A door before PostgreSQL that can be shut, or go silent, and open again. */
export async function openGate(first: NetConnectOpts) {
  let to = first
  const pairs = new Set<Pair>()
  let state: 'open' | 'shut' | 'silent' = 'open'

  const link = ({ client, behind }: Pair) => {
    client.pipe(behind)
    behind.pipe(client)
  }
  const part = ({ client, behind }: Pair) => {
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
    if (state === 'open') link(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    open: () => {
      // What went silent before stays so, as after a route that was lost: only who comes now is let through.
      state = 'open'
    },
    shut: () => {
      state = 'shut'
      cutAll()
    },
    /** From now on it leads elsewhere: who is connected is cut, as where an address changes hands. */
    leadTo: (other: NetConnectOpts) => {
      to = other
      cutAll()
    },
    /** Nothing passes any more, in either direction, and nobody is told. */
    silence: () => {
      state = 'silent'
      for (const pair of pairs) part(pair)
    },
    /** The same for whoever came last, alone. */
    silenceLast: () => {
      const last = [...pairs].at(-1)
      if (last) part(last)
    },
    /** What went silent goes on where it was. */
    resume: () => {
      state = 'open'
      for (const pair of pairs) link(pair)
    },
    close: () => server.close(),
  }
}

/** A gate before the database of this folder's server, and the addresses that lead through it. */
export async function gateOf(dataDir: string) {
  const there = onCluster(dataDir)
  const { hostname: host, port } = new URL(there?.url ?? 'postgres://localhost')
  const behind = there ? { host, port: Number(port || 5432) } : { path: await socketOf(dataDir) }
  const gate = await openGate(behind)
  const through = (url: string) => onMachine(url, { host: '127.0.0.1', port: gate.port })
  const url = through(there?.url ?? `postgres://${APPLICATION}@localhost/voisol`)
  const ownerUrl = through(there?.ownerUrl ?? `postgres://${OWNER}@localhost/voisol`)
  return { ...gate, url, ownerUrl, env: { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } }
}

const socketOf = async (dataDir: string) => join((await postmaster(dataDir)).socket, '.s.PGSQL.5432')
