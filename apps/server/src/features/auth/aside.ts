import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type Db, openDatabase } from '../../db/client.ts'

const CONNECTIONS = 4

/**
 * Connections for what must stand even if the call is refused: counted attempts, refusals in the audit log.
 * They are apart from the pool, because a pool full of open transactions would otherwise wait for itself.
 */
export function openAside(app: FastifyInstance): Db {
  const pool = app.deps.db.$client
  const url = pool instanceof pg.Pool ? pool.options.connectionString : undefined
  if (!url) throw new Error('the pool has no address')
  const aside = openDatabase(url, CONNECTIONS)
  app.addHook('onClose', () => aside.$client.end())
  return aside
}
