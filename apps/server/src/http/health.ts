import type { FastifyInstance } from 'fastify'
import { DATABASE_CORRUPTED, loadChecksumFailures, RESTORE_ADVICE } from '../db/damaged.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { checkReadiness, withReadinessTimeout } from './checks.ts'
import { UNAVAILABLE_RETRY_SECONDS } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the process was asked to stop: it finishes current work and accepts no new one. */
    life: { stopping: boolean }
  }
}

async function listUnavailableReasons(app: FastifyInstance): Promise<string[]> {
  if (app.life.stopping) return ['Le serveur s’arrête.']
  const failed = (await checkReadiness(app.deps)).filter((check) => !check.ok)
  const away = failed.some((check) => check.name === 'database')
  // Other checks need the database; a full disk may be why it is unavailable.
  const relevant = away ? failed.filter((check) => ['room', 'database'].includes(check.name)) : failed
  return relevant.map((check) => check.reason)
}

/**
 * Problems that the operator must know although the process serves: all processes share the database, and most of it is
 * well.
 */
async function listHealthWarnings({ aside, disk }: FastifyInstance['deps']): Promise<string[]> {
  const { pages } = await withReadinessTimeout(loadChecksumFailures(aside)).catch(() => ({ pages: 0 }))
  const slow = disk.trouble()
  return [...(pages ? [`${DATABASE_CORRUPTED}\u00a0: ${RESTORE_ADVICE}`] : []), ...(slow ? [slow] : [])]
}

/** `/healthz`: the process answers. `/readyz`: it can serve. */
export function registerHealth(app: FastifyInstance) {
  app.decorate('life', { stopping: false })
  app.get('/healthz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', version: VERSION, commit: COMMIT_ID ?? null }
  })
  app.get('/readyz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    const why = await listUnavailableReasons(app)
    if (why.length) reply.code(503).header('retry-after', UNAVAILABLE_RETRY_SECONDS)
    if (why.length) return { status: 'unavailable', reasons: why }
    const aware = await listHealthWarnings(app.deps)
    return { status: 'ready', ...(aware.length && { warnings: aware }) }
  })
}
