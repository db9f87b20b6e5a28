import type { FastifyInstance } from 'fastify'
import { DAMAGED, damageOf, RESTORE } from '../db/damaged.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { inTime, readiness } from './checks.ts'
import { AWAY_SECONDS } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the process has been asked to leave: it finishes what it has and wants nothing new. */
    life: { stopping: boolean }
  }
}

async function reasons(app: FastifyInstance): Promise<string[]> {
  if (app.life.stopping) return ['Le serveur s’arrête.']
  const failed = (await readiness(app.deps)).filter((check) => !check.ok)
  const away = failed.some((check) => check.name === 'database')
  // The rest cannot be known then; that its disk is full may be why it is away.
  const told = away ? failed.filter((check) => ['room', 'database'].includes(check.name)) : failed
  return told.map((check) => check.reason)
}

/** What an operator must know although it serves: all processes see the same pages, and most pages are well. */
async function warnings({ aside, disk }: FastifyInstance['deps']): Promise<string[]> {
  const { pages } = await inTime(damageOf(aside)).catch(() => ({ pages: 0 }))
  const slow = disk.trouble()
  return [...(pages ? [`${DAMAGED}\u00a0: ${RESTORE}`] : []), ...(slow ? [slow] : [])]
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
    const why = await reasons(app)
    if (why.length) reply.code(503).header('retry-after', AWAY_SECONDS)
    if (why.length) return { status: 'unavailable', reasons: why }
    const aware = await warnings(app.deps)
    return { status: 'ready', ...(aware.length && { warnings: aware }) }
  })
}
