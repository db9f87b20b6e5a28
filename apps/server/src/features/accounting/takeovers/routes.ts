import { takeovers } from '@voisol/contract/takeovers'
import type { FastifyInstance } from 'fastify'
import { buildTableFile } from '../../../files/table-file.ts'
import { addRoute } from '../../../http/route.ts'
import { importPastDocuments } from './import-past-documents.ts'
import { PAST_DOCUMENT_COLUMN_NAMES, PAST_DOCUMENT_COLUMNS } from './past-document-file.ts'
import { loadLastReadings } from './readings.ts'
import { continueInvoiceSequence, listInvoiceSequences } from './series.ts'
import { listPastDocuments, loadShadowComparison } from './shadow-comparison.ts'

const TEMPLATE_EXAMPLE_ROW = [
  'F-2026-041',
  'Camille Morel',
  '04/06/2026',
  '19/06/2026',
  '05/2026',
  152.4,
  21.34,
  4.27,
  25.61,
  0,
]

export function registerTakeoverRoutes(app: FastifyInstance) {
  addRoute(app, takeovers.documents, async ({ query }, { db, actor }) => ({
    items: await listPastDocuments(db, actor, query.operationId),
  }))

  addRoute(app, takeovers.import, async ({ query, upload }, ctx) => {
    const report = await importPastDocuments(ctx, ctx.actor, upload, query)
    const { lines: _, ...counts } = report
    ctx.note({ target: 'Factures reprises', detail: { ...query, ...counts } })
    return report
  })

  addRoute(app, takeovers.template, () =>
    buildTableFile(
      'factures-a-reprendre',
      'csv',
      PAST_DOCUMENT_COLUMN_NAMES.map((name) => PAST_DOCUMENT_COLUMNS[name][0]),
      [TEMPLATE_EXAMPLE_ROW],
    ),
  )

  addRoute(app, takeovers.series, async (_input, { db, actor }) => ({ items: await listInvoiceSequences(db, actor) }))

  addRoute(app, takeovers.continueSeries, async ({ body }, { db, actor, note }) => {
    const { series, next } = await continueInvoiceSequence(db, actor, body)
    note({ target: `Série ${series.prefix}${series.year}`, detail: { before: series.last, after: body.last } })
    return { next }
  })

  addRoute(app, takeovers.readings, ({ query }, { db, actor }) => loadLastReadings(db, actor, query.operationId))

  addRoute(app, takeovers.shadow, ({ query }, ctx) => loadShadowComparison(ctx, query.operationId, query.month))
}
