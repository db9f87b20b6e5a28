import { getPlanPrice, MONEY_BACK_DAYS, PLANS, type PlanPeriod } from '@voisol/contract/plan-prices'
import type { PlanChange } from '@voisol/contract/plan-schemas'
import {
  type subscription as endpoints,
  NEXT_STATES,
  type PlanQuote,
  type SubscriptionState,
} from '@voisol/contract/subscription'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { addDays } from '@voisol/money/days'
import { getAnchoredPeriod } from '@voisol/money/prorata'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { countUsedPoints, getPlanPointsLimit } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, subscriptionChanges, subscriptions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import {
  findRunningPlan,
  findSubscription,
  getPlanPeriod,
  lockSubscription,
  parsePlan,
  type SubscriptionRow,
} from './find-subscription.ts'
import { computePlanQuote, getPlanLabel, type PlanTerms, type RunningPlan } from './quote.ts'
import { issueSubscriptionBill, loadSubscriptionDocuments } from './subscription-bill.ts'

type ChoosePlanInput = z.output<typeof endpoints.choose.body>

const buildPlanTerms = ({ plan, period }: Pick<ChoosePlanInput, 'plan' | 'period'>): PlanTerms => ({
  plan,
  period,
  price: getPlanPrice(plan, period),
})

async function quoteWithUsage(db: Db, row: SubscriptionRow, terms: PlanTerms): Promise<PlanQuote> {
  const limit = getPlanPointsLimit(terms.plan)
  const used = await countUsedPoints(db, row.companyId)
  return {
    ...computePlanQuote(findRunningPlan(row), terms, getToday()),
    tooMany: limit === null ? 0 : Math.max(0, used - limit),
  }
}

export async function quotePlan(db: Db, { companyId }: Actor, choice: Pick<ChoosePlanInput, 'plan' | 'period'>) {
  const row = await findSubscription(db, companyId)
  if (!row) throw new AppError('not-found')
  return quoteWithUsage(db, row, buildPlanTerms(choice))
}

/** Refuses a plan with fewer points than are in use; a downgrade waits until the points have left. */
function requirePointsFit({ now, tooMany }: PlanQuote, terms: PlanTerms) {
  if (!now || tooMany === 0) return
  const message = `La formule ${PLANS[terms.plan].name} comprend ${getPlanPointsLimit(terms.plan)} points de mesure\u00a0: ${tooMany} de trop sont utilisés. Faites-les d’abord sortir, ou prenez une formule plus grande.`
  throw new AppError('points-limit', { message })
}

function requireSameAmount(quote: PlanQuote, net: number) {
  if (quote.net === net) return
  const message = `Le montant a changé depuis qu’il vous a été montré\u00a0: ${formatEuros(quote.net)} hors taxes. Vérifiez-le, puis confirmez.`
  throw new AppError('stale', { message })
}

/** Bills a plan that starts today, or the difference of an upgrade, and activates it. */
export async function startPlan(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  row: SubscriptionRow,
  terms: PlanTerms,
  by: string,
  kind: 'chosen' | 'raised' | 'granted',
) {
  const on = getToday()
  const running = findRunningPlan(row)
  const { lines, net } = computePlanQuote(running, terms, on)
  if (net <= 0)
    throw new AppError('conflict', {
      message: 'Ce changement ne donne rien à facturer\u00a0: il prendra effet à la fin de la période.',
    })
  await issueSubscriptionBill(tx, deps, row, { kind: 'plan', title: getPlanLabel(terms), lines, on, by })
  const same = running?.period === terms.period
  const paid = running && same ? { from: running.from, to: running.to } : getAnchoredPeriod(on, terms.period, on)
  const values = {
    ...terms,
    paidFrom: paid.from,
    paidTo: paid.to,
    ...(same ? {} : { anchorOn: on }),
    ...(running ? {} : { startedOn: on }),
    nextPlan: null,
    nextPeriod: null,
  }
  return changeSubscription(tx, row, 'active', values, { kind, on, by })
}

const PLAN_UNCHANGED = 'Cette formule est déjà la vôtre.'

/** Chooses a plan: an upgrade is billed and starts now, a downgrade starts at the end of the paid period. */
export async function choosePlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: ChoosePlanInput) {
  const found = await lockSubscription(tx, actor.companyId)
  requireCurrentVersion(found, input)
  if (actor.keepsSite)
    throw new AppError('conflict', {
      message: 'Votre organisation tient cette installation\u00a0: elle ne s’abonne pas à elle-même.',
    })
  const row = await renewOrEndSubscription(tx, deps, found)
  const terms = buildPlanTerms(input)
  const quote = await quoteWithUsage(tx, row, terms)
  requirePointsFit(quote, terms)
  requireSameAmount(quote, input.net)
  const running = findRunningPlan(row)
  if (running?.plan === terms.plan && running.period === terms.period)
    throw new AppError('conflict', { message: PLAN_UNCHANGED })
  const by = formatActorName(actor)
  if (quote.now) return startPlan(tx, deps, row, terms, by, running ? 'raised' : 'chosen')
  const next = { nextPlan: terms.plan, nextPeriod: terms.period }
  return changeSubscription(tx, row, 'active', next, { kind: 'planned', on: quote.on, by })
}

/** The plan runs until the end of the paid period. */
export async function leavePlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const found = await lockSubscription(tx, actor.companyId)
  requireCurrentVersion(found, input)
  const row = await renewOrEndSubscription(tx, deps, found)
  const change = { kind: 'left', on: row.paidTo ?? getToday(), by: formatActorName(actor) } as const
  return changeSubscription(tx, row, 'ending', { nextPlan: null, nextPeriod: null }, change)
}

export async function resumePlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const found = await lockSubscription(tx, actor.companyId)
  requireCurrentVersion(found, input)
  const row = await renewOrEndSubscription(tx, deps, found)
  if (row.state !== 'ending' && !row.nextPlan) throw new AppError('invalid-transition')
  const change = { kind: 'resumed', on: getToday(), by: formatActorName(actor) } as const
  return changeSubscription(tx, row, 'active', { nextPlan: null, nextPeriod: null }, change)
}

/** The last day for a full refund; null after that day or without a plan. */
export function getMoneyBackEnd(row: SubscriptionRow): string | null {
  if (!row.startedOn || !findRunningPlan(row)) return null
  const last = addDays(row.startedOn, MONEY_BACK_DAYS)
  return last >= getToday() ? last : null
}

const AUTHOR = 'Voisol'

/** The planned plan, or null when more points are in use than it allows: the current plan then continues. */
async function findPlannedTerms(tx: Db, row: SubscriptionRow): Promise<PlanTerms | null> {
  const plan = parsePlan({ plan: row.nextPlan })
  const period = row.nextPeriod as PlanPeriod | null // the column has a CHECK constraint
  if (!plan || plan === 'enterprise' || !period) return null
  const limit = getPlanPointsLimit(plan)
  if (limit === null || (await countUsedPoints(tx, row.companyId)) <= limit)
    return { plan, period, price: getPlanPrice(plan, period) }
  return null
}

async function renewPlan(tx: Db, deps: Pick<Deps, 'secrets'>, row: SubscriptionRow, running: RunningPlan) {
  const on = running.to
  const planned = await findPlannedTerms(tx, row)
  const terms = planned ?? { plan: running.plan, period: running.period, price: running.price }
  const anchorOn = planned && planned.period !== running.period ? on : (row.anchorOn ?? running.from)
  const paid = getAnchoredPeriod(anchorOn, terms.period, on)
  const lines = [{ label: getPlanLabel(terms), ...paid, net: terms.price }]
  // A renewal is dated today, because invoice numbers must follow the order of dates.
  await issueSubscriptionBill(tx, deps, row, {
    kind: 'plan',
    title: getPlanLabel(terms),
    lines,
    on: getToday(),
    by: AUTHOR,
  })
  const values = { ...terms, anchorOn, paidFrom: paid.from, paidTo: paid.to, nextPlan: null, nextPeriod: null }
  const kind = planned ? 'applied' : row.nextPlan ? 'kept' : 'renewed'
  return changeSubscription(tx, row, 'active', values, { kind, on, by: AUTHOR })
}

/** Brings a subscription up to date: each elapsed period is renewed and billed, changed as planned, or ended. */
export async function renewOrEndSubscription(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  found: SubscriptionRow,
): Promise<SubscriptionRow> {
  let row = found
  for (let running = findRunningPlan(row); running && running.to <= getToday(); running = findRunningPlan(row))
    row =
      row.state === 'ending'
        ? await changeSubscription(tx, row, 'ended', {}, { kind: 'ended', on: running.to, by: AUTHOR })
        : await renewPlan(tx, deps, row, running)
  return row
}

const REFUND_REASON = 'Garantie de remboursement de 30 jours'

/** The invoices of the plan since its start that are not credited yet; options are not refunded with it. */
async function listRefundableInvoices(tx: Db, { companyId, startedOn }: SubscriptionRow) {
  const documents = await loadSubscriptionDocuments(tx, companyId, 'plan')
  const plans = documents.filter(({ kind, issuedOn }) => kind === 'invoice' && startedOn && issuedOn >= startedOn)
  const [first] = plans
  if (!first) return []
  const ids = plans.map(({ id }) => id)
  const credits = await tx
    .select({ id: invoices.correctsId })
    .from(invoices)
    .where(and(eq(invoices.companyId, first.companyId), inArray(invoices.correctsId, ids)))
  const credited = new Set(credits.map(({ id }) => id))
  return plans.filter(({ id }) => !credited.has(id))
}

/** Refunds every invoice of the plan by a credit note with the same lines, and ends the subscription today. */
export async function refundPlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const row = await lockSubscription(tx, actor.companyId)
  requireCurrentVersion(row, input)
  if (!getMoneyBackEnd(row))
    throw new AppError('conflict', {
      message:
        'Les trente jours de la garantie sont passés\u00a0: vous pouvez arrêter l’abonnement à la fin de la période.',
    })
  const [on, by] = [getToday(), formatActorName(actor)]
  for (const { id, number, issuedOn, snapshot } of await listRefundableInvoices(tx, row)) {
    const lines = snapshot.lines.map(({ label, from, to, net }) => ({ label, from, to, net }))
    const bill = { kind: 'credit', title: snapshot.operation.name, lines, on, by } as const
    await issueSubscriptionBill(tx, deps, row, bill, { id, number, issuedOn, reason: REFUND_REASON })
  }
  return changeSubscription(
    tx,
    row,
    'ended',
    { nextPlan: null, nextPeriod: null, paidTo: on },
    { kind: 'refunded', on, by },
  )
}

type ChangeRecord = { kind: PlanChange['kind']; on: string; by: string }
type SubscriptionValues = Partial<Omit<SubscriptionRow, 'companyId' | 'state' | 'version'>>

function requireAllowedTransition(from: string, to: SubscriptionState) {
  // The column has a CHECK constraint.
  if (from !== to && !NEXT_STATES[from as SubscriptionState].includes(to)) throw new AppError('invalid-transition')
}

/** The only way to change a subscription: writes its state, its values, its history line and its event together. */
async function changeSubscription(
  tx: Db,
  row: SubscriptionRow,
  to: SubscriptionState,
  values: SubscriptionValues,
  change: ChangeRecord,
) {
  requireAllowedTransition(row.state, to)
  const [after] = await tx
    .update(subscriptions)
    .set({ ...values, state: to, version: sql`${subscriptions.version} + 1` })
    .where(eq(subscriptions.companyId, row.companyId))
    .returning()
  if (!after) throw new AppError('not-found')
  await recordSubscriptionChange(tx, after, change)
  return after
}

async function recordSubscriptionChange(tx: Db, row: SubscriptionRow, { kind, on, by }: ChangeRecord) {
  const { companyId } = row
  const plan = row.nextPlan && kind === 'planned' ? row.nextPlan : parsePlan(row)
  const period = row.nextPeriod && kind === 'planned' ? row.nextPeriod : getPlanPeriod(row)
  if (!plan) return
  const [line] = await tx.insert(subscriptionChanges).values({ companyId, on, kind, plan, period, by }).returning()
  if (!line) throw new AppError('conflict')
  // The columns have CHECK constraints.
  const data = { kind, on, plan, period } as { kind: typeof kind; on: string; plan: 'starter'; period: 'month' }
  await recordEvent(tx, { companyId, name: 'subscription.changed', object: line.id, data })
}
