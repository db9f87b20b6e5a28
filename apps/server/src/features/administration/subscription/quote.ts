import { getPlanRank, PLAN_VAT, PLANS, type PlanName, type PlanPeriod } from '@voisol/contract/plan-prices'
import type { PlanLine, PlanQuote } from '@voisol/contract/subscription'
import { getAnchoredPeriod, prorateCents } from '@voisol/money/prorata'
import { computeVatGroups } from '@voisol/money/vat'
import type { z } from 'zod'

type QuoteLine = z.infer<typeof PlanLine>
export type PlanTerms = { plan: PlanName; period: PlanPeriod; price: number }
/** A plan that runs, and the days that are paid for. */
export type RunningPlan = PlanTerms & { from: string; to: string }

const PERIOD_LABELS: Record<PlanPeriod, string> = { month: 'mensuel', year: 'annuel' }
export const getPlanLabel = ({ plan, period }: Pick<PlanTerms, 'plan' | 'period'>) =>
  `Abonnement ${PLANS[plan].name}, ${PERIOD_LABELS[period]}`

/** More takes effect at once; less, or shorter, when what is paid has been used. */
export const isRaise = (running: RunningPlan, wanted: PlanTerms) =>
  getPlanRank(wanted.plan) >= getPlanRank(running.plan) && !(running.period === 'year' && wanted.period === 'month')

const buildFullLine = (terms: PlanTerms, from: string): QuoteLine => ({
  label: getPlanLabel(terms),
  ...getAnchoredPeriod(from, terms.period, from),
  net: terms.price,
})

/** What is taken back of the plan that is left, day by day. */
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

/** What lines come to with their tax, as the invoice says it. */
export function computePlanTotals(lines: readonly QuoteLine[], rate = PLAN_VAT) {
  const net = sumNet(lines)
  const tax = computeVatGroups([{ category: 'S', rate, amount: net }]).reduce((all, group) => all + group.tax, 0)
  return { net, tax, gross: net + tax }
}

/** What a choice costs and when it holds: shown before it is confirmed, and billed by the same lines. */
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
