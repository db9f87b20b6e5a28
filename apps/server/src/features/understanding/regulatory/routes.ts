import { REGULATORY_WORDS, regulatory } from '@voisol/contract/regulatory'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { calendarOf, markDuty, unmarkDuty } from './calendar.ts'
import { makeExport } from './make.ts'
import { recordSending } from './sendings.ts'
import { fileOf, getExport, listExports } from './view.ts'

export function regulatoryRoutes(app: FastifyInstance) {
  route(app, regulatory.list, ({ query }, ctx) => listExports(ctx.db, app.deps, ctx.actor, query.operationId))

  route(app, regulatory.make, async ({ body }, { db, actor, note }) => {
    const { id, already, operation } = await makeExport(db, app.deps, actor, body)
    const made = await getExport(db, actor, id)
    note({
      target: `${REGULATORY_WORDS[made.kind].title}, version ${made.number}`,
      detail: { operation: operation.name, period: made.period, already },
    })
    return { ...made, already }
  })

  route(app, regulatory.file, ({ params, query }, { db, actor }) =>
    fileOf(db, app.deps.files, actor, params.id, query.part),
  )

  route(app, regulatory.send, async ({ params, body }, { db, actor, note }) => {
    const made = await recordSending(db, actor, params.id, body)
    note({ target: `${REGULATORY_WORDS[made.kind].title}, version ${made.number}`, detail: body })
    return made
  })

  route(app, regulatory.duties, async ({ query }, { db, actor }) => ({
    items: await calendarOf(db, actor.companyId, query.year),
  }))

  route(app, regulatory.mark, async ({ body }, { db, actor, note }) => {
    const duty = await markDuty(db, actor, body)
    note({ target: duty.label, detail: body })
    return duty
  })

  route(app, regulatory.unmark, async ({ params }, { db, actor, note }) => {
    const { doneOn } = await unmarkDuty(db, actor, params.key)
    note({ target: params.key, detail: { doneOn } })
    return { success: true as const }
  })
}
