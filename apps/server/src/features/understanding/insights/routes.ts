import { insights } from '@voisol/contract/insights'
import type { FastifyInstance } from 'fastify'
import { brandOf } from '../../../core/brand.ts'
import { datedName } from '../../../http/file-name.ts'
import { route } from '../../../http/route.ts'
import { keyVotePdf } from '../../../papers/key-vote-pdf.ts'
import { decide } from './decide.ts'
import { gridTariffsOf } from './grid-tariffs.ts'
import { joinsOf } from './joins.ts'
import { keyVoteOf } from './key-vote.ts'
import { listInsights } from './view.ts'

export function insightRoutes(app: FastifyInstance) {
  const { compute } = app.deps
  route(app, insights.list, ({ query }, { db, actor }) => listInsights(db, actor, query))
  route(app, insights.accept, async ({ params, body }, { db, actor, note }) => {
    const after = await decide(db, actor, params.id, body, { state: 'accepted' })
    note({ target: after.sentence.slice(0, 200), detail: { rule: after.rule, operation: after.operationName } })
    return after
  })
  route(app, insights.dismiss, async ({ params, body }, { db, actor, note }) => {
    const { reason } = body
    const after = await decide(db, actor, params.id, body, { state: 'dismissed', reason })
    note({ target: after.sentence.slice(0, 200), detail: { rule: after.rule, operation: after.operationName, reason } })
    return after
  })
  route(app, insights.key, ({ params }, { db, actor, signal }) => keyVoteOf({ db, compute, signal }, actor, params.id))
  route(app, insights.keyFile, async ({ params }, { db, actor, signal }) => {
    const vote = await keyVoteOf({ db, compute, signal }, actor, params.id)
    const name = datedName(`feuille de vote ${vote.operation.name}`, 'pdf')
    return { name, type: 'application/pdf', content: await keyVotePdf(vote, await brandOf(db, actor.companyId)) }
  })
  route(app, insights.joins, ({ params }, { db, actor, signal }) => joinsOf({ db, compute, signal }, actor, params.id))
  route(app, insights.gridTariffs, ({ params }, { db, actor, signal }) =>
    gridTariffsOf({ db, compute, signal }, actor, params.id),
  )
}
