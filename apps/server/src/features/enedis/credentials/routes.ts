import { enedis } from '@voisol/contract/enedis'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { fetchAgreement, fetchAgreementSeries, fetchAgreements, fetchDefinitiveQuantities } from './agreements.ts'
import { loadArchivedAnswer } from './answer-archive.ts'
import { loadEnedisOverview } from './credential-queries.ts'
import { removeCredential, replaceCredential, saveCredential, testCredential } from './manage-credentials.ts'
import { listEnedisCalls, runEnedisCall } from './run-call.ts'

type AuditedCredential = { operationId: string | null; environment: string; backend: string; hint: string }
/** The fields of a credential that the audit log keeps. */
const toAuditedCredential = ({ operationId, environment, backend, hint }: AuditedCredential) => ({
  operationId,
  environment,
  backend,
  hint,
})

const isJson = (content: Buffer) => /^\s*[[{"]/.test(content.subarray(0, 100).toString())

export function enedisRoutes(app: FastifyInstance) {
  addRoute(app, enedis.overview, (_, ctx) => loadEnedisOverview(ctx.db, ctx.enedis, ctx.actor))

  addRoute(app, enedis.save, async ({ body }, ctx) => {
    const made = await saveCredential(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: made.id, detail: { operationId: made.operationId, after: toAuditedCredential(made) } })
    return made
  })

  addRoute(app, enedis.replace, async ({ params, body }, ctx) => {
    const { before, after } = await replaceCredential(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({
      target: after.id,
      detail: {
        operationId: after.operationId,
        before: toAuditedCredential(before),
        after: toAuditedCredential(after),
      },
    })
    return after
  })

  addRoute(app, enedis.remove, async ({ params }, ctx) => {
    const before = await removeCredential(ctx.db, ctx.actor, params.id)
    ctx.note({ target: before.id, detail: { operationId: before.operationId, before: toAuditedCredential(before) } })
    return { success: true as const }
  })

  addRoute(app, enedis.test, async ({ params }, ctx) => {
    const after = await testCredential(ctx.db, ctx, ctx.actor, params.id)
    ctx.note({ target: after.id, detail: { operationId: after.operationId, testOk: after.testOk } })
    return after
  })

  addRoute(app, enedis.answer, async ({ params }, { db, actor }) => {
    const content = await loadArchivedAnswer(db, actor.companyId, params.sha256)
    if (!content) throw new AppError('not-found')
    const name = `reponse-enedis-${params.sha256.slice(0, 12)}`
    // A failing gateway may answer with HTML; it is returned as text, so that the browser does not render it.
    return isJson(content)
      ? { name: `${name}.json`, content }
      : { name: `${name}.txt`, type: 'text/plain; charset=utf-8', content }
  })

  addRoute(app, enedis.calls, (_, { db, actor }) => listEnedisCalls(db, actor))
  addRoute(app, enedis.run, ({ body }, ctx) => runEnedisCall(ctx, ctx.actor, body))
  addRoute(app, enedis.agreements, ({ query }, ctx) => fetchAgreements(ctx, ctx.actor, query))
  addRoute(app, enedis.agreement, ({ params, query }, ctx) => fetchAgreement(ctx, ctx.actor, params.acc, query))
  addRoute(app, enedis.series, ({ params, query }, ctx) => fetchAgreementSeries(ctx, ctx.actor, params.acc, query))
  addRoute(app, enedis.quantities, ({ params, query }, ctx) =>
    fetchDefinitiveQuantities(ctx, ctx.actor, params.acc, query),
  )
}
