import type { InvoiceDetail } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import type { FastifyInstance } from 'fastify'
import { nameOfActor } from '../../../http/actor.ts'
import { type Context, route } from '../../../http/route.ts'
import { listAccounts } from './accounts.ts'
import { annualFile, annualOf } from './annual.ts'
import { archiveOf } from './archive.ts'
import { billedFigures } from './billed.ts'
import { choicesOf } from './choices.ts'
import { drawNotice, noticeName } from './due-notice.ts'
import { sentencesOf } from './explain.ts'
import { findInvoice } from './find.ts'
import { follow } from './follow.ts'
import { daysOfLine } from './line-days.ts'
import { stepsOfLine } from './line-steps.ts'
import { listInvoices } from './list.ts'
import { PAPER_TYPES, type PaperKind, paperName, paperOf } from './papers.ts'
import { recomputeSnapshot } from './recompute.ts'
import { sendDocument } from './send.ts'
import { detailOf, getInvoice } from './view.ts'

export function invoiceRoutes(app: FastifyInstance) {
  const told = (detail: InvoiceDetail): InvoiceDetail =>
    detail.hasXml && app.deps.platform ? { ...detail, platform: true } : detail
  route(app, invoices.list, ({ query }, { db, actor }) => listInvoices(db, actor, query))
  route(app, invoices.choices, (_, { db, actor }) => choicesOf(db, actor))
  route(app, invoices.archive, ({ query }, ctx) => archiveOf(ctx, ctx.actor, query))
  route(app, invoices.accounts, async ({ query }, { db, actor }) => ({ items: await listAccounts(db, actor, query.q) }))
  route(app, invoices.figures, ({ query }, { db, actor }) => billedFigures(db, actor, query))
  route(app, invoices.annual, ({ query }, { db, actor }) => annualOf(db, actor, query))
  route(app, invoices.annualFile, ({ query }, { db, actor }) => annualFile(db, actor, query))
  route(app, invoices.get, async ({ params }, { db, actor }) => told(await getInvoice(db, actor, params.id)))
  paperRoutes(app)
  route(app, invoices.recompute, async ({ params }, { db, actor }) =>
    recomputeSnapshot((await findInvoice(db, actor, params.id)).snapshot),
  )
  route(app, invoices.explain, async ({ params }, { db, actor }) => ({
    sentences: sentencesOf((await findInvoice(db, actor, params.id)).snapshot),
  }))
  route(app, invoices.lineDays, async ({ params }, ctx) =>
    daysOfLine(ctx, await findInvoice(ctx.db, ctx.actor, params.id), params.line),
  )
  route(app, invoices.lineSteps, async ({ params }, ctx) =>
    stepsOfLine(ctx, await findInvoice(ctx.db, ctx.actor, params.id), params.line, params.day),
  )
  route(app, invoices.send, async ({ params, body }, { db, actor, note }) => {
    const invoice = await findInvoice(db, actor, params.id)
    const platform = app.deps.platform !== undefined
    await sendDocument(db, invoice, { by: nameOfActor(actor), channel: body.channel, platform })
    note({ target: invoice.number, detail: { operationId: invoice.operationId, ...body } })
    return told(await detailOf(db, actor, invoice))
  })
  route(app, invoices.follow, async ({ params, body }, { db, actor, note }) => {
    const invoice = await findInvoice(db, actor, params.id)
    await follow(db, invoice, { ...body, by: nameOfActor(actor) })
    note({ target: invoice.number, detail: { operationId: invoice.operationId, ...body } })
    return told(await detailOf(db, actor, invoice))
  })
}

function paperRoutes(app: FastifyInstance) {
  const paper = async (ctx: Context, id: string, kind: PaperKind) => {
    const invoice = await findInvoice(ctx.db, ctx.actor, id)
    const content = await paperOf(ctx, invoice, kind)
    return { name: paperName(invoice.snapshot, kind), type: PAPER_TYPES[kind], content }
  }
  route(app, invoices.pdf, ({ params }, ctx) => paper(ctx, params.id, 'pdf'))
  route(app, invoices.dueNotice, async ({ params }, ctx) => {
    const invoice = await findInvoice(ctx.db, ctx.actor, params.id)
    return { name: noticeName(invoice), type: PAPER_TYPES.pdf, content: await drawNotice(ctx, invoice) }
  })
  route(app, invoices.xml, ({ params }, ctx) => paper(ctx, params.id, 'xml'))
}
