import { tariffs } from '@voisol/contract/tariffs'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { readChoices } from './choices.ts'
import type { Version } from './prices.ts'
import { registerIndexes, registerTerms } from './term-routes.ts'
import { getTariff, listTariffs, readMatrix, tryTariff } from './view.ts'
import { adoptTariff, copyTariff, createTariff, removeTariff, updateTariff } from './write.ts'

type Told = Pick<Version, 'operationId' | 'number' | 'startsOn'> & { rules: readonly unknown[] }
/** The journal of an operation is read from the audit by this id. */
function noted({ note }: Context, { operationId, number, startsOn }: Told, more = {}) {
  note({ target: `Tarif, version ${number}`, detail: { operationId, startsOn, ...more } })
}
const about = ({ startsOn, rules }: Pick<Told, 'startsOn' | 'rules'>) => ({ startsOn, rules: rules.length })

export function tariffRoutes(app: FastifyInstance) {
  route(app, tariffs.list, ({ params }, { db, actor }) => listTariffs(db, actor, params.id))
  route(app, tariffs.get, ({ params }, { db, actor }) => getTariff(db, actor, params.id))
  route(app, tariffs.choices, ({ params }, { db, actor }) => readChoices(db, actor, params.id))
  route(app, tariffs.matrix, ({ params, query }, { db, actor }) => readMatrix(db, actor, params.id, query.day))
  route(app, tariffs.tryOut, ({ params, body }, { db, actor }) => tryTariff(db, actor, params.id, body))

  route(app, tariffs.create, async ({ params, body }, ctx) => {
    const tariff = await getTariff(ctx.db, ctx.actor, await createTariff(ctx.db, ctx.actor, params.id, body))
    noted(ctx, tariff, { after: about(tariff) })
    return tariff
  })

  route(app, tariffs.copy, async ({ params, body }, ctx) => {
    const tariff = await getTariff(ctx.db, ctx.actor, await copyTariff(ctx.db, ctx.actor, params.id, body))
    noted(ctx, tariff, { from: params.id, after: about(tariff) })
    return tariff
  })

  route(app, tariffs.update, async ({ params, body }, ctx) => {
    const before = await updateTariff(ctx.db, ctx.actor, params.id, body)
    noted(ctx, before, { before: about(before), after: about(body) })
    return getTariff(ctx.db, ctx.actor, params.id)
  })

  route(app, tariffs.adopt, async ({ params, body }, ctx) => {
    const { reason } = body
    noted(ctx, await adoptTariff(ctx.db, ctx.actor, params.id, body), reason === undefined ? {} : { reason })
    return getTariff(ctx.db, ctx.actor, params.id)
  })

  route(app, tariffs.remove, async ({ params }, ctx) => {
    noted(ctx, await removeTariff(ctx.db, ctx.actor, params.id))
    return { success: true as const }
  })
  registerTerms(app)
  registerIndexes(app)
}
