import { type LotSpread, lots } from '@voisol/contract/lots'
import type { FastifyInstance } from 'fastify'
import { brandOf } from '../../../core/brand.ts'
import { route } from '../../../http/route.ts'
import { chargesOf } from './charges.ts'
import { chargeFile } from './file.ts'
import { getSpread, listSpreads, saveLots } from './spread.ts'

/** The names of those who bear it are theirs: the trail keeps how it was spread. */
const facts = ({ by, lots: own, shares }: LotSpread) => ({ by, lots: own.length, shares })

export function lotRoutes(app: FastifyInstance) {
  route(app, lots.list, async (_, { db, actor }) => ({
    items: (await listSpreads(db, actor)).map(({ lots: own, ...spread }) => ({ ...spread, lots: own.length })),
  }))
  route(app, lots.get, ({ params }, { db, actor }) => getSpread(db, actor, params.id))
  route(app, lots.save, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await saveLots(db, actor, params.id, body)
    note({ target: after.buyer.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })
  route(app, lots.charges, ({ params, query }, { db, actor }) => chargesOf(db, actor, params.id, query))
  route(app, lots.file, async ({ params, query }, { db, actor }) =>
    chargeFile(await chargesOf(db, actor, params.id, query), query.format, () => brandOf(db, actor.companyId)),
  )
}
