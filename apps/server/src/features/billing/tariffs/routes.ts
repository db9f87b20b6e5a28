import { tariffs } from '@voisol/contract/tariffs'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import type { TariffVersionRow } from './operation-prices.ts'
import {
  adoptTariff,
  copyTariff,
  createTariff,
  listTariffs,
  loadPriceMatrix,
  loadTariff,
  loadTariffChoices,
  previewTariffDraft,
  removeTariff,
  updateTariff,
} from './tariff-versions.ts'
import { registerFeeAndDiscountRoutes, registerPriceIndexRoutes } from './term-routes.ts'

type AuditedTariff = Pick<TariffVersionRow, 'operationId' | 'number' | 'startsOn'> & { rules: readonly unknown[] }
/** The journal of an operation is read from the audit log by this id. */
function noteTariff({ note }: RouteContext, { operationId, number, startsOn }: AuditedTariff, more = {}) {
  note({ target: `Tarif, version ${number}`, detail: { operationId, startsOn, ...more } })
}
const toAuditDetail = ({ startsOn, rules }: Pick<AuditedTariff, 'startsOn' | 'rules'>) => ({
  startsOn,
  rules: rules.length,
})

export function registerTariffRoutes(app: FastifyInstance) {
  addRoute(app, tariffs.list, ({ params }, { db, actor }) => listTariffs(db, actor, params.id))
  addRoute(app, tariffs.get, ({ params }, { db, actor }) => loadTariff(db, actor, params.id))
  addRoute(app, tariffs.choices, ({ params }, { db, actor }) => loadTariffChoices(db, actor, params.id))
  addRoute(app, tariffs.matrix, ({ params, query }, { db, actor }) => loadPriceMatrix(db, actor, params.id, query.day))
  addRoute(app, tariffs.tryOut, ({ params, body }, { db, actor }) => previewTariffDraft(db, actor, params.id, body))

  addRoute(app, tariffs.create, async ({ params, body }, ctx) => {
    const tariff = await loadTariff(ctx.db, ctx.actor, await createTariff(ctx.db, ctx.actor, params.id, body))
    noteTariff(ctx, tariff, { after: toAuditDetail(tariff) })
    return tariff
  })

  addRoute(app, tariffs.copy, async ({ params, body }, ctx) => {
    const tariff = await loadTariff(ctx.db, ctx.actor, await copyTariff(ctx.db, ctx.actor, params.id, body))
    noteTariff(ctx, tariff, { from: params.id, after: toAuditDetail(tariff) })
    return tariff
  })

  addRoute(app, tariffs.update, async ({ params, body }, ctx) => {
    const before = await updateTariff(ctx.db, ctx.actor, params.id, body)
    noteTariff(ctx, before, { before: toAuditDetail(before), after: toAuditDetail(body) })
    return loadTariff(ctx.db, ctx.actor, params.id)
  })

  addRoute(app, tariffs.adopt, async ({ params, body }, ctx) => {
    const { reason } = body
    noteTariff(ctx, await adoptTariff(ctx.db, ctx.actor, params.id, body), reason === undefined ? {} : { reason })
    return loadTariff(ctx.db, ctx.actor, params.id)
  })

  addRoute(app, tariffs.remove, async ({ params }, ctx) => {
    noteTariff(ctx, await removeTariff(ctx.db, ctx.actor, params.id))
    return { success: true as const }
  })
  registerFeeAndDiscountRoutes(app)
  registerPriceIndexRoutes(app)
}
