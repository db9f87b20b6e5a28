import { billing, type CheckItem } from '@voisol/contract/billing'
import { formatMonthWithDe } from '@voisol/file-formats/french'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { checkClosedMonth, checkOpenMonth } from './check-month.ts'
import { closeMonth } from './close-month.ts'
import { computeMonth, type MonthRequest } from './compute-month.ts'
import { issueMonth, sendMonthDocuments } from './issue-invoices.ts'
import { listMonths, loadUnbilledMonths } from './list-months.ts'
import {
  explainDocument,
  loadCurrentBilledTotals,
  loadOrComputeMonth,
  previewMonth,
  simulateTariff,
} from './preview-month.ts'
import { findClosedMonth, type MonthResult, toStoredOutcome } from './stored-months.ts'

/** Checklist items added by a later feature, such as withheld cents. */
type LoadExtraChecks = (db: Db, actor: Actor, operationId: string, month: string) => Promise<CheckItem[]>
type MonthParams = { operationId: string; month: string }
type CheckOptions = { acceptLastIndex?: boolean | undefined }

async function loadMonthRequest(
  { db, actor }: Pick<RouteContext, 'db' | 'actor'>,
  { operationId, month }: MonthParams,
  choices: CheckOptions = {},
) {
  const operation = await requireVisibleOperation(db, actor, operationId)
  const { acceptLastIndex } = choices
  const wanted: MonthRequest = { companyId: actor.companyId, operationId, month, acceptLastIndex }
  return { operation, wanted }
}

const NOT_READY_MESSAGE =
  'Ce mois ne peut pas encore être prévisualisé\u00a0: réglez d’abord ce que dit sa liste de contrôle.'

async function requireBillableMonth(ctx: RouteContext, wanted: MonthRequest): Promise<MonthResult> {
  const month = await loadOrComputeMonth(ctx, ctx.db, wanted)
  if (!month) throw new AppError('conflict', { message: NOT_READY_MESSAGE })
  return month
}

export function registerBillingRoutes(app: FastifyInstance, more: LoadExtraChecks) {
  addRoute(app, billing.months, async ({ query }, { db, actor }) => ({
    items: await listMonths(db, await requireVisibleOperation(db, actor, query.operationId)),
  }))
  addRoute(app, billing.toBill, ({ query }, ctx) => loadUnbilledMonths(ctx, ctx.db, ctx.actor, query.operationId))
  addRoute(app, billing.check, async ({ params, query }, ctx) => {
    const { operation, wanted } = await loadMonthRequest(ctx, params, query)
    const closed = await findClosedMonth(ctx.db, wanted.companyId, operation.id, wanted.month)
    const check = closed
      ? await checkClosedMonth(ctx.db, operation, closed)
      : await checkOpenMonth(ctx.db, operation, wanted, await computeMonth(ctx, ctx.db, wanted))
    return { ...check, items: [...check.items, ...(await more(ctx.db, ctx.actor, operation.id, wanted.month))] }
  })
  addRoute(app, billing.preview, async ({ params, query }, ctx) => {
    const { wanted } = await loadMonthRequest(ctx, params, query)
    const preview = await previewMonth(ctx, ctx.db, wanted, await requireBillableMonth(ctx, wanted))
    return { ...preview, rehearsal: false }
  })
  addRoute(app, billing.document, async ({ params, query }, ctx) => {
    const { wanted } = await loadMonthRequest(ctx, params, query)
    const { seller, buyer, apart = false } = query
    return explainDocument(ctx, ctx.db, wanted, await requireBillableMonth(ctx, wanted), { seller, buyer, apart })
  })
  addRoute(app, billing.rehearsal, async ({ params, query }, ctx) => {
    const { operation, wanted } = await loadMonthRequest(ctx, params, query)
    const computation = await computeMonth(ctx, ctx.db, wanted)
    const check = await checkOpenMonth(ctx.db, operation, wanted, computation)
    const standing = await loadCurrentBilledTotals(ctx.db, wanted)
    return { check, preview: await dryRunMonth(ctx, wanted, computation), standing }
  })
  registerWriteRoutes(app)
}

/** The month as it would be closed today, even if it is already closed. */
async function dryRunMonth(
  ctx: RouteContext,
  wanted: MonthRequest,
  computation: Awaited<ReturnType<typeof computeMonth>>,
) {
  const { input, frame, outcome, daily } = computation
  if (!outcome.ok) return null
  const month = { input, frame, outcome: toStoredOutcome(outcome.month, daily) }
  return { ...(await previewMonth(ctx, ctx.db, wanted, month)), rehearsal: true }
}

function registerWriteRoutes(app: FastifyInstance) {
  addRoute(app, billing.close, async ({ params, body }, ctx) => {
    const { operation, wanted } = await loadMonthRequest(ctx, params, body)
    const { db, aside, actor, note } = ctx
    const reason = body.reason ?? ''
    const closing = { computing: ctx, aside, operation, wanted, by: formatActorName(actor), reason }
    const { id, items, ...month } = await closeMonth(db, closing)
    note({
      target: `Mois ${formatMonthWithDe(`${wanted.month}-01`)} de ${operation.name}${reason && `, clos malgré des réserves\u00a0: ${reason}`}`,
      detail: { monthId: id, ...month.totals, reserves: items.filter(({ level }) => level === 'warning') },
    })
    return month
  })
  addRoute(app, billing.issue, async ({ params }, ctx) => {
    const { operation, wanted } = await loadMonthRequest(ctx, params)
    const { db, actor, note, secrets } = ctx
    const made = await issueMonth(db, { operation, month: wanted.month, by: formatActorName(actor), secrets })
    note({ target: `Documents ${formatMonthWithDe(`${wanted.month}-01`)} de ${operation.name}`, detail: made })
    return made
  })
  addRoute(app, billing.send, async ({ params }, ctx) => {
    const { operation, wanted } = await loadMonthRequest(ctx, params)
    const { db, actor, note } = ctx
    const platform = app.deps.platform !== undefined
    const sent = await sendMonthDocuments(db, { operation, month: wanted.month, by: formatActorName(actor), platform })
    note({
      target: `Envoi des documents ${formatMonthWithDe(`${wanted.month}-01`)} de ${operation.name}`,
      detail: sent,
    })
    return sent
  })
  addRoute(app, billing.simulate, async ({ body }, ctx) => {
    const { wanted } = await loadMonthRequest(ctx, body)
    return simulateTariff(ctx, ctx.db, { ...wanted, tariffDraft: body.tariffId })
  })
}
