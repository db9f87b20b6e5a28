import { billing, type CheckItem } from '@voisol/contract/billing'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { ofMonth } from '../../../french.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type Context, route } from '../../../http/route.ts'
import { checkClosed, checkOpen } from './check.ts'
import { closeNow } from './close.ts'
import { computeNow, type Wanted } from './computed.ts'
import { issueNow } from './issue.ts'
import { monthsOf } from './months.ts'
import { monthAsBilled, openDocument, previewOf } from './preview.ts'
import { sendMonth } from './send.ts'
import { simulate } from './simulate.ts'
import { standingOf } from './standing.ts'
import { findMonth, outcomeOf, type StoredMonth } from './stored.ts'
import { toBillOf } from './to-bill.ts'

/** What a later feature adds to the checklist of a month: cents that are held. */
type More = (db: Db, actor: Actor, operationId: string, month: string) => Promise<CheckItem[]>
type Asked = { operationId: string; month: string }
type Choices = { acceptLastIndex?: boolean | undefined }

async function begin(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { operationId, month }: Asked,
  choices: Choices = {},
) {
  const operation = await findOperation(db, actor, operationId)
  const { acceptLastIndex } = choices
  const wanted: Wanted = { companyId: actor.companyId, operationId, month, acceptLastIndex }
  return { operation, wanted }
}

const UNREADY = 'Ce mois ne peut pas encore être prévisualisé\u00a0: réglez d’abord ce que dit sa liste de contrôle.'

async function billedMonth(ctx: Context, wanted: Wanted): Promise<StoredMonth> {
  const month = await monthAsBilled(ctx, ctx.db, wanted)
  if (!month) throw new AppError('conflict', { message: UNREADY })
  return month
}

export function billingRoutes(app: FastifyInstance, more: More) {
  route(app, billing.months, async ({ query }, { db, actor }) => ({
    items: await monthsOf(db, await findOperation(db, actor, query.operationId)),
  }))
  route(app, billing.toBill, ({ query }, ctx) => toBillOf(ctx, ctx.db, ctx.actor, query.operationId))
  route(app, billing.check, async ({ params, query }, ctx) => {
    const { operation, wanted } = await begin(ctx, params, query)
    const closed = await findMonth(ctx.db, wanted.companyId, operation.id, wanted.month)
    const check = closed
      ? await checkClosed(ctx.db, operation, closed)
      : await checkOpen(ctx.db, operation, wanted, await computeNow(ctx, ctx.db, wanted))
    return { ...check, items: [...check.items, ...(await more(ctx.db, ctx.actor, operation.id, wanted.month))] }
  })
  route(app, billing.preview, async ({ params, query }, ctx) => {
    const { wanted } = await begin(ctx, params, query)
    const preview = await previewOf(ctx, ctx.db, wanted, await billedMonth(ctx, wanted))
    return { ...preview, rehearsal: false }
  })
  route(app, billing.document, async ({ params, query }, ctx) => {
    const { wanted } = await begin(ctx, params, query)
    const { seller, buyer, apart = false } = query
    return openDocument(ctx, ctx.db, wanted, await billedMonth(ctx, wanted), { seller, buyer, apart })
  })
  route(app, billing.rehearsal, async ({ params, query }, ctx) => {
    const { operation, wanted } = await begin(ctx, params, query)
    const computation = await computeNow(ctx, ctx.db, wanted)
    const check = await checkOpen(ctx.db, operation, wanted, computation)
    const standing = await standingOf(ctx.db, wanted)
    return { check, preview: await rehearse(ctx, wanted, computation), standing }
  })
  writeRoutes(app)
}

/** As it would be closed today, whatever was closed before. */
async function rehearse(ctx: Context, wanted: Wanted, computation: Awaited<ReturnType<typeof computeNow>>) {
  const { input, frame, outcome, daily } = computation
  if (!outcome.ok) return null
  const month = { input, frame, outcome: outcomeOf(outcome.month, daily) }
  return { ...(await previewOf(ctx, ctx.db, wanted, month)), rehearsal: true }
}

function writeRoutes(app: FastifyInstance) {
  route(app, billing.close, async ({ params, body }, ctx) => {
    const { operation, wanted } = await begin(ctx, params, body)
    const { db, aside, actor, note } = ctx
    const reason = body.reason ?? ''
    const closing = { computing: ctx, aside, operation, wanted, by: nameOfActor(actor), reason }
    const { id, items, ...month } = await closeNow(db, closing)
    note({
      target: `Mois ${ofMonth(`${wanted.month}-01`)} de ${operation.name}${reason && `, clos malgré des réserves\u00a0: ${reason}`}`,
      detail: { monthId: id, ...month.totals, reserves: items.filter(({ level }) => level === 'warning') },
    })
    return month
  })
  route(app, billing.issue, async ({ params }, ctx) => {
    const { operation, wanted } = await begin(ctx, params)
    const { db, actor, note, secrets } = ctx
    const made = await issueNow(db, { operation, month: wanted.month, by: nameOfActor(actor), secrets })
    note({ target: `Documents ${ofMonth(`${wanted.month}-01`)} de ${operation.name}`, detail: made })
    return made
  })
  route(app, billing.send, async ({ params }, ctx) => {
    const { operation, wanted } = await begin(ctx, params)
    const { db, actor, note } = ctx
    const platform = app.deps.platform !== undefined
    const sent = await sendMonth(db, { operation, month: wanted.month, by: nameOfActor(actor), platform })
    note({ target: `Envoi des documents ${ofMonth(`${wanted.month}-01`)} de ${operation.name}`, detail: sent })
    return sent
  })
  route(app, billing.simulate, async ({ body }, ctx) => {
    const { wanted } = await begin(ctx, body)
    return simulate(ctx, ctx.db, { ...wanted, tariffDraft: body.tariffId })
  })
}
