import type { InvoiceDetail } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import type { FastifyInstance } from 'fastify'
import { formatActorName } from '../../../http/actor.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { buildAnnualSummaryFile, loadAnnualSummary } from './annual-summary.ts'
import { recordDeliveryState } from './deliveries.ts'
import {
  buildDocumentFileName,
  DOCUMENT_MEDIA_TYPES,
  type DocumentFileKind,
  loadDocumentFile,
} from './document-files.ts'
import { buildDueNoticeFileName, renderDueNotice } from './due-notice.ts'
import { explainSnapshot } from './explain-document.ts'
import { loadDetailOfInvoice, loadInvoiceDetail } from './invoice-detail.ts'
import { loadLineDays, loadLineSteps } from './line-details.ts'
import {
  buildInvoiceArchive,
  listBuyerBalances,
  listInvoices,
  loadBilledFigures,
  loadInvoiceFilterChoices,
} from './list-invoices.ts'
import { loadInvoice } from './load-invoice.ts'
import { recomputeSnapshot } from './recompute-document.ts'
import { sendDocument } from './send-invoices.ts'

export function registerInvoiceRoutes(app: FastifyInstance) {
  const withPlatform = (detail: InvoiceDetail): InvoiceDetail =>
    detail.hasXml && app.deps.platform ? { ...detail, platform: true } : detail
  addRoute(app, invoices.list, ({ query }, { db, actor }) => listInvoices(db, actor, query))
  addRoute(app, invoices.choices, (_, { db, actor }) => loadInvoiceFilterChoices(db, actor))
  addRoute(app, invoices.archive, ({ query }, ctx) => buildInvoiceArchive(ctx, ctx.actor, query))
  addRoute(app, invoices.accounts, async ({ query }, { db, actor }) => ({
    items: await listBuyerBalances(db, actor, query.q),
  }))
  addRoute(app, invoices.figures, ({ query }, { db, actor }) => loadBilledFigures(db, actor, query))
  addRoute(app, invoices.annual, ({ query }, { db, actor }) => loadAnnualSummary(db, actor, query))
  addRoute(app, invoices.annualFile, ({ query }, { db, actor }) => buildAnnualSummaryFile(db, actor, query))
  addRoute(app, invoices.get, async ({ params }, { db, actor }) =>
    withPlatform(await loadInvoiceDetail(db, actor, params.id)),
  )
  registerDocumentFileRoutes(app)
  addRoute(app, invoices.recompute, async ({ params }, { db, actor }) =>
    recomputeSnapshot((await loadInvoice(db, actor, params.id)).snapshot),
  )
  addRoute(app, invoices.explain, async ({ params }, { db, actor }) => ({
    sentences: explainSnapshot((await loadInvoice(db, actor, params.id)).snapshot),
  }))
  addRoute(app, invoices.lineDays, async ({ params }, ctx) =>
    loadLineDays(ctx, await loadInvoice(ctx.db, ctx.actor, params.id), params.line),
  )
  addRoute(app, invoices.lineSteps, async ({ params }, ctx) =>
    loadLineSteps(ctx, await loadInvoice(ctx.db, ctx.actor, params.id), params.line, params.day),
  )
  addRoute(app, invoices.send, async ({ params, body }, { db, actor, note }) => {
    const invoice = await loadInvoice(db, actor, params.id)
    const platform = app.deps.platform !== undefined
    await sendDocument(db, invoice, { by: formatActorName(actor), channel: body.channel, platform })
    note({ target: invoice.number, detail: { operationId: invoice.operationId, ...body } })
    return withPlatform(await loadDetailOfInvoice(db, actor, invoice))
  })
  addRoute(app, invoices.follow, async ({ params, body }, { db, actor, note }) => {
    const invoice = await loadInvoice(db, actor, params.id)
    await recordDeliveryState(db, invoice, { ...body, by: formatActorName(actor) })
    note({ target: invoice.number, detail: { operationId: invoice.operationId, ...body } })
    return withPlatform(await loadDetailOfInvoice(db, actor, invoice))
  })
}

function registerDocumentFileRoutes(app: FastifyInstance) {
  const loadFileReply = async (ctx: RouteContext, id: string, kind: DocumentFileKind) => {
    const invoice = await loadInvoice(ctx.db, ctx.actor, id)
    const content = await loadDocumentFile(ctx, invoice, kind)
    return { name: buildDocumentFileName(invoice.snapshot, kind), type: DOCUMENT_MEDIA_TYPES[kind], content }
  }
  addRoute(app, invoices.pdf, ({ params }, ctx) => loadFileReply(ctx, params.id, 'pdf'))
  addRoute(app, invoices.dueNotice, async ({ params }, ctx) => {
    const invoice = await loadInvoice(ctx.db, ctx.actor, params.id)
    return {
      name: buildDueNoticeFileName(invoice),
      type: DOCUMENT_MEDIA_TYPES.pdf,
      content: await renderDueNotice(ctx, invoice),
    }
  })
  addRoute(app, invoices.xml, ({ params }, ctx) => loadFileReply(ctx, params.id, 'xml'))
}
