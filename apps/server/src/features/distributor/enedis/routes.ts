import { enedis } from '@voisol/contract/enedis'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { listAgreements, readAgreement, readQuantities, readSeries } from './agreements.ts'
import { readAnswer } from './answers.ts'
import { removeCredential, replaceCredential, saveCredential, testCredential } from './manage.ts'
import { readOverview } from './overview.ts'
import { listCalls, runCall } from './run.ts'

type Told = { operationId: string | null; environment: string; backend: string; hint: string }
/** What the journal may know of a credential. */
const told = ({ operationId, environment, backend, hint }: Told) => ({ operationId, environment, backend, hint })

const isJson = (content: Buffer) => /^\s*[[{"]/.test(content.subarray(0, 100).toString())

export function enedisRoutes(app: FastifyInstance) {
  route(app, enedis.overview, (_, ctx) => readOverview(ctx.db, ctx.enedis, ctx.actor))

  route(app, enedis.save, async ({ body }, ctx) => {
    const made = await saveCredential(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: made.id, detail: { operationId: made.operationId, after: told(made) } })
    return made
  })

  route(app, enedis.replace, async ({ params, body }, ctx) => {
    const { before, after } = await replaceCredential(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: after.id, detail: { operationId: after.operationId, before: told(before), after: told(after) } })
    return after
  })

  route(app, enedis.remove, async ({ params }, ctx) => {
    const before = await removeCredential(ctx.db, ctx.actor, params.id)
    ctx.note({ target: before.id, detail: { operationId: before.operationId, before: told(before) } })
    return { success: true as const }
  })

  route(app, enedis.test, async ({ params }, ctx) => {
    const after = await testCredential(ctx.db, ctx, ctx.actor, params.id)
    ctx.note({ target: after.id, detail: { operationId: after.operationId, testOk: after.testOk } })
    return after
  })

  route(app, enedis.answer, async ({ params }, { db, actor }) => {
    const content = await readAnswer(db, actor.companyId, params.sha256)
    if (!content) throw new AppError('not-found')
    const name = `reponse-enedis-${params.sha256.slice(0, 12)}`
    // A gateway that is down answers with a page; it is given as text, never as a page of ours.
    return isJson(content)
      ? { name: `${name}.json`, content }
      : { name: `${name}.txt`, type: 'text/plain; charset=utf-8', content }
  })

  route(app, enedis.calls, (_, { db, actor }) => listCalls(db, actor))
  route(app, enedis.run, ({ body }, ctx) => runCall(ctx, ctx.actor, body))
  route(app, enedis.agreements, ({ query }, ctx) => listAgreements(ctx, ctx.actor, query))
  route(app, enedis.agreement, ({ params, query }, ctx) => readAgreement(ctx, ctx.actor, params.acc, query))
  route(app, enedis.series, ({ params, query }, ctx) => readSeries(ctx, ctx.actor, params.acc, query))
  route(app, enedis.quantities, ({ params, query }, ctx) => readQuantities(ctx, ctx.actor, params.acc, query))
}
