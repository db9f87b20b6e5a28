import { getPlanRank, PLAN_VAT, PLANS, type PlanName, type PlanPeriod } from '@voisol/contract/plan-prices'
import type { PlanLine, PlanQuote } from '@voisol/contract/subscription'
import { computeVatGroups } from '@voisol/money/document-lines'
import { getAnchoredPeriod, prorateCents } from '@voisol/money/prorata'
import type { z } from 'zod'

type QuoteLine = z.infer<typeof PlanLine>
export type PlanTerms = { plan: PlanName; period: PlanPeriod; price: number }
/** A running plan and its paid period. */
export type RunningPlan = PlanTerms & { from: string; to: string }

const PERIOD_LABELS: Record<PlanPeriod, string> = { month: 'mensuel', year: 'annuel' }
export const getPlanLabel = ({ plan, period }: Pick<PlanTerms, 'plan' | 'period'>) =>
  `Abonnement ${PLANS[plan].name}, ${PERIOD_LABELS[period]}`

/** An upgrade starts at once; a cheaper plan or a shorter period starts after the paid period. */
const isRaise = (running: RunningPlan, wanted: PlanTerms) =>
  getPlanRank(wanted.plan) >= getPlanRank(running.plan) && !(running.period === 'year' && wanted.period === 'month')

const buildFullLine = (terms: PlanTerms, from: string): QuoteLine => ({
  label: getPlanLabel(terms),
  ...getAnchoredPeriod(from, terms.period, from),
  net: terms.price,
})

/** The credit for the unused days of the running plan. */
function buildUnusedLine(running: RunningPlan, today: string): QuoteLine {
  const part = { from: today, to: running.to }
  const label = `Abonnement ${PLANS[running.plan].name}, part non utilisée`
  return { label, ...part, net: -prorateCents(running.price, running, part) }
}

function buildRaiseLines(running: RunningPlan, wanted: PlanTerms, today: string): QuoteLine[] {
  if (running.period !== wanted.period) return [buildFullLine(wanted, today), buildUnusedLine(running, today)]
  const part = { from: today, to: running.to }
  return [
    { label: getPlanLabel(wanted), ...part, net: prorateCents(wanted.price, running, part) },
    buildUnusedLine(running, today),
  ]
}

const sumNet = (lines: readonly QuoteLine[]) => lines.reduce((total, { net }) => total + net, 0)

/** The totals of lines with VAT, as on the invoice. */
export function computePlanTotals(lines: readonly QuoteLine[], rate = PLAN_VAT) {
  const net = sumNet(lines)
  const tax = computeVatGroups([{ category: 'S', rate, amount: net }]).reduce((all, group) => all + group.tax, 0)
  return { net, tax, gross: net + tax }
}

/** The cost and the start of a choice: shown for confirmation, and billed with the same lines. */
export function computePlanQuote(
  running: RunningPlan | null,
  wanted: PlanTerms,
  today: string,
): Omit<PlanQuote, 'tooMany'> {
  const now = running === null || isRaise(running, wanted)
  const on = now ? today : running.to
  const lines = running && now ? buildRaiseLines(running, wanted, today) : [buildFullLine(wanted, on)]
  return { on, now, lines, ...computePlanTotals(lines) }
}
