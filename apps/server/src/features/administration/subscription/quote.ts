import { PLAN_VAT, PLANS, type PlanName, type PlanPeriod, rankOf } from '@voisol/contract/plan-prices'
import type { PlanLine, PlanQuote } from '@voisol/contract/subscription'
import { periodFrom, sharePart } from '@voisol/money/prorata'
import { vatGroups } from '@voisol/money/vat'
import type { z } from 'zod'

type Line = z.infer<typeof PlanLine>
export type Terms = { plan: PlanName; period: PlanPeriod; price: number }
/** A plan that runs, and the days that are paid for. */
export type Running = Terms & { from: string; to: string }

const EVERY: Record<PlanPeriod, string> = { month: 'mensuel', year: 'annuel' }
export const planLabel = ({ plan, period }: Pick<Terms, 'plan' | 'period'>) =>
  `Abonnement ${PLANS[plan].name}, ${EVERY[period]}`

/** More takes effect at once; less, or shorter, when what is paid has been used. */
export const isRaise = (running: Running, wanted: Terms) =>
  rankOf(wanted.plan) >= rankOf(running.plan) && !(running.period === 'year' && wanted.period === 'month')

const whole = (terms: Terms, from: string): Line => ({
  label: planLabel(terms),
  ...periodFrom(from, terms.period, from),
  net: terms.price,
})

/** What is taken back of the plan that is left, day by day. */
function unused(running: Running, today: string): Line {
  const part = { from: today, to: running.to }
  const label = `Abonnement ${PLANS[running.plan].name}, part non utilisée`
  return { label, ...part, net: -sharePart(running.price, running, part) }
}

function raised(running: Running, wanted: Terms, today: string): Line[] {
  if (running.period !== wanted.period) return [whole(wanted, today), unused(running, today)]
  const part = { from: today, to: running.to }
  return [{ label: planLabel(wanted), ...part, net: sharePart(wanted.price, running, part) }, unused(running, today)]
}

const sum = (lines: readonly Line[]) => lines.reduce((total, { net }) => total + net, 0)

/** What lines come to with their tax, as the invoice says it. */
export function totalsOf(lines: readonly Line[], rate = PLAN_VAT) {
  const net = sum(lines)
  const tax = vatGroups([{ category: 'S', rate, amount: net }]).reduce((all, group) => all + group.tax, 0)
  return { net, tax, gross: net + tax }
}

/** What a choice costs and when it holds: shown before it is confirmed, and billed by the same lines. */
export function quoteOf(running: Running | null, wanted: Terms, today: string): Omit<PlanQuote, 'tooMany'> {
  const now = running === null || isRaise(running, wanted)
  const on = now ? today : running.to
  const lines = running && now ? raised(running, wanted, today) : [whole(wanted, on)]
  return { on, now, lines, ...totalsOf(lines) }
}
