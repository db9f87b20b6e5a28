import { insights } from '@voisol/contract/insights'
import { buildKeyVotePdf } from '@voisol/documents/key-vote-pdf'
import type { FastifyInstance } from 'fastify'
import { loadBrand } from '../../../core/brand.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { addRoute } from '../../../http/route.ts'
import { compareGridTariffs } from './compare-grid-tariffs.ts'
import { loadKeyVote } from './key-vote.ts'
import { decideInsight, listInsights } from './list-insights.ts'
import { rankJoinCandidates } from './rank-candidates.ts'

export function insightRoutes(app: FastifyInstance) {
  const { compute } = app.deps
  addRoute(app, insights.list, ({ query }, { db, actor }) => listInsights(db, actor, query))
  addRoute(app, insights.accept, async ({ params, body }, { db, actor, note }) => {
    const after = await decideInsight(db, actor, params.id, body, { state: 'accepted' })
    note({ target: after.sentence.slice(0, 200), detail: { rule: after.rule, operation: after.operationName } })
    return after
  })
  addRoute(app, insights.dismiss, async ({ params, body }, { db, actor, note }) => {
    const { reason } = body
    const after = await decideInsight(db, actor, params.id, body, { state: 'dismissed', reason })
    note({ target: after.sentence.slice(0, 200), detail: { rule: after.rule, operation: after.operationName, reason } })
    return after
  })
  addRoute(app, insights.key, ({ params }, { db, actor, signal }) =>
    loadKeyVote({ db, compute, signal }, actor, params.id),
  )
  addRoute(app, insights.keyFile, async ({ params }, { db, actor, signal }) => {
    const vote = await loadKeyVote({ db, compute, signal }, actor, params.id)
    const name = buildDatedFileName(`feuille de vote ${vote.operation.name}`, 'pdf')
    return { name, type: 'application/pdf', content: await buildKeyVotePdf(vote, await loadBrand(db, actor.companyId)) }
  })
  addRoute(app, insights.joins, ({ params }, { db, actor, signal }) =>
    rankJoinCandidates({ db, compute, signal }, actor, params.id),
  )
  addRoute(app, insights.gridTariffs, ({ params }, { db, actor, signal }) =>
    compareGridTariffs({ db, compute, signal }, actor, params.id),
  )
}
