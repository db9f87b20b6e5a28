import type { FastifyInstance } from 'fastify'
import { readiness } from './checks.ts'
import { AWAY_SECONDS } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the process has been asked to leave: it finishes what it has and wants nothing new. */
    life: { stopping: boolean }
  }
}

/** Asked beside the pool: a process whose line is long sheds calls, and is taken out of no rotation for it. */
async function reasons(app: FastifyInstance): Promise<string[]> {
  if (app.life.stopping) return ['Le serveur s’arrête.']
  const failed = (await readiness(app.deps.aside)).filter((check) => !check.ok)
  const away = failed.find((check) => check.name === 'database')
  return (away ? [away] : failed).map((check) => check.reason)
}

/** `/healthz`: the process answers. `/readyz`: it can serve. */
export function registerHealth(app: FastifyInstance) {
  app.decorate('life', { stopping: false })
  app.get('/healthz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    const why = await reasons(app)
    if (why.length) reply.code(503).header('retry-after', AWAY_SECONDS)
    return why.length ? { status: 'unavailable', reasons: why } : { status: 'ready' }
  })
}
