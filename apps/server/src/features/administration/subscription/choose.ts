import { getPlanPrice, MONEY_BACK_DAYS, PLANS } from '@voisol/contract/plan-prices'
import type { subscription as endpoints, PlanQuote } from '@voisol/contract/subscription'
import { addDays } from '@voisol/money/days'
import { getAnchoredPeriod } from '@voisol/money/prorata'
import type { z } from 'zod'
import { countUsedPoints, getPlanPointsLimit } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { getToday } from '../../../today.ts'
import { issueSubscriptionBill } from './bill.ts'
import { findRunningPlan, findSubscription, lockSubscription, type SubscriptionRow } from './find.ts'
import { changeSubscription } from './move.ts'
import { computePlanQuote, getPlanLabel, type PlanTerms } from './quote.ts'
import { renewOrEndSubscription } from './settle.ts'

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
