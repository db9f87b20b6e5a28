import { connect } from 'node:net'
import type pg from 'pg'
import { createDb, type Db, isPool } from './client.ts'
import { type PoolConnectCallback, wrapPoolConnect } from './connection-pool.ts'

type Connection = pg.PoolClient & { host: string; port: number; processID: number; secretKey: number }

/** PostgreSQL receives a cancel request on a connection of its own; a pooler forwards it. */
function cancelStatement({ host, port, processID, secretKey }: Connection): void {
  const wish = Buffer.alloc(16)
  for (const [at, value] of [16, 80_877_102, processID, secretKey].entries()) wish.writeInt32BE(value, 4 * at)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // Without an answer the statement ends by itself; its connection is closed either way.
  socket.on('error', () => {}).end(wish)
}

/**
 * The pool for one call. When the signal fires, the statements of the call are cancelled and its connections closed, so
 * that the database rolls back what was not committed, whatever the call does next.
 */
export function createCancellableDb(db: Db, signal: AbortSignal): Db {
  const pool = db.$client
  if (!isPool(pool)) return db
  const activeClients = new Set<Connection>()
  signal.addEventListener('abort', () => {
    for (const client of activeClients) {
      cancelStatement(client)
      void (client as unknown as pg.Client).end() // a client of the pool has it too
    }
  })
  const trackClient = (client: Connection) => {
    const { release } = client
    activeClients.add(client)
    client.release = (broken) => {
      activeClients.delete(client)
      release(signal.aborted || broken)
    }
  }
  const connectTracked = (taken: PoolConnectCallback) =>
    pool.connect((error, client, release) => {
      if (!client) return taken(error, client, release)
      if (signal.aborted) {
        release()
        return taken(signal.reason, undefined, release)
      }
      trackClient(client as Connection) // pg gives these to every client
      taken(undefined, client, client.release)
    })
  const own: pg.Pool = Object.create(pool)
  own.connect = wrapPoolConnect(connectTracked)
  return createDb(own, db.$jobs, db.$company)
}
