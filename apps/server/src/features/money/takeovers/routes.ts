import { takeovers } from '@voisol/contract/takeovers'
import type { FastifyInstance } from 'fastify'
import { tableFile } from '../../../files/table-file.ts'
import { route } from '../../../http/route.ts'
import { COLUMNS, columnNames } from './columns.ts'
import { importPast } from './import.ts'
import { lastReadings } from './readings.ts'
import { continueSeries, listSeries } from './series.ts'
import { listPast, shadowOf } from './view.ts'

const EXAMPLE = ['F-2026-041', 'Camille Morel', '04/06/2026', '19/06/2026', '05/2026', 152.4, 21.34, 4.27, 25.61, 0]

export function takeoverRoutes(app: FastifyInstance) {
  route(app, takeovers.documents, async ({ query }, { db, actor }) => ({
    items: await listPast(db, actor, query.operationId),
  }))

  route(app, takeovers.import, async ({ query, upload }, ctx) => {
    const report = await importPast(ctx, ctx.actor, upload, query)
    const { lines: _, ...counts } = report
    ctx.note({ target: 'Factures reprises', detail: { ...query, ...counts } })
    return report
  })

  route(app, takeovers.template, () =>
    tableFile(
      'factures-a-reprendre',
      'csv',
      columnNames.map((name) => COLUMNS[name][0]),
      [EXAMPLE],
    ),
  )

  route(app, takeovers.series, async (_input, { db, actor }) => ({ items: await listSeries(db, actor) }))

  route(app, takeovers.continueSeries, async ({ body }, { db, actor, note }) => {
    const { series, next } = await continueSeries(db, actor, body)
    note({ target: `Série ${series.prefix}${series.year}`, detail: { before: series.last, after: body.last } })
    return { next }
  })

  route(app, takeovers.readings, ({ query }, { db, actor }) => lastReadings(db, actor, query.operationId))

  route(app, takeovers.shadow, ({ query }, ctx) => shadowOf(ctx, query.operationId, query.month))
}
