import { MONEY_BACK_DAYS, PLANS, priceOf } from '@voisol/contract/plan-prices'
import type { subscription as endpoints, PlanQuote } from '@voisol/contract/subscription'
import { addDays } from '@voisol/money/days'
import { periodFrom } from '@voisol/money/prorata'
import type { z } from 'zod'
import { limitOf, pointsUsed } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { euros } from '../../../papers/decimals.ts'
import { today } from '../../../today.ts'
import { issueBill } from './bill.ts'
import { findSubscription, lockSubscription, runningOf, type SubscriptionRow } from './find.ts'
import { move } from './move.ts'
import { planLabel, quoteOf, type Terms } from './quote.ts'
import { settle } from './settle.ts'

type Choice = z.output<typeof endpoints.choose.body>

const termsOf = ({ plan, period }: Pick<Choice, 'plan' | 'period'>): Terms => ({
  plan,
  period,
  price: priceOf(plan, period),
})

async function priced(db: Db, row: SubscriptionRow, wanted: Terms): Promise<PlanQuote> {
  const limit = limitOf(wanted.plan)
  const used = await pointsUsed(db, row.companyId)
  return { ...quoteOf(runningOf(row), wanted, today()), tooMany: limit === null ? 0 : Math.max(0, used - limit) }
}

export async function quoteFor(db: Db, { companyId }: Actor, choice: Pick<Choice, 'plan' | 'period'>) {
  const row = await findSubscription(db, companyId)
  if (!row) throw new AppError('not-found')
  return priced(db, row, termsOf(choice))
}

/** A plan that is too small begins nothing: now it is refused, later it waits for the points to leave. */
function requireFits({ now, tooMany }: PlanQuote, wanted: Terms) {
  if (!now || tooMany === 0) return
  const message = `La formule ${PLANS[wanted.plan].name} comprend ${limitOf(wanted.plan)} points de mesure\u00a0: ${tooMany} de trop sont utilisés. Faites-les d’abord sortir, ou prenez une formule plus grande.`
  throw new AppError('points-limit', { message })
}

function requireShown(quote: PlanQuote, net: number) {
  if (quote.net === net) return
  const message = `Le montant a changé depuis qu’il vous a été montré\u00a0: ${euros(quote.net)} hors taxes. Vérifiez-le, puis confirmez.`
  throw new AppError('stale', { message })
}

/** Bills a plan that begins today, or what is more of one, and lets it run. */
export async function begin(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  row: SubscriptionRow,
  wanted: Terms,
  by: string,
  kind: 'chosen' | 'raised' | 'granted',
) {
  const on = today()
  const running = runningOf(row)
  const { lines, net } = quoteOf(running, wanted, on)
  if (net <= 0)
    throw new AppError('conflict', {
      message: 'Ce changement ne donne rien à facturer\u00a0: il prendra effet à la fin de la période.',
    })
  await issueBill(tx, deps, row, { kind: 'plan', title: planLabel(wanted), lines, on, by })
  const same = running?.period === wanted.period
  const paid = running && same ? { from: running.from, to: running.to } : periodFrom(on, wanted.period, on)
  const values = {
    ...wanted,
    paidFrom: paid.from,
    paidTo: paid.to,
    ...(same ? {} : { anchorOn: on }),
    ...(running ? {} : { startedOn: on }),
    nextPlan: null,
    nextPeriod: null,
  }
  return move(tx, row, 'active', values, { kind, on, by })
}

const UNCHANGED = 'Cette formule est déjà la vôtre.'

/** Takes a plan: at once and billed where it is more, from the end of what is paid where it is less. */
export async function choosePlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: Choice) {
  const found = await lockSubscription(tx, actor.companyId)
  requireVersion(found, input)
  if (actor.keepsSite)
    throw new AppError('conflict', {
      message: 'Votre organisation tient cette installation\u00a0: elle ne s’abonne pas à elle-même.',
    })
  const row = await settle(tx, deps, found)
  const wanted = termsOf(input)
  const quote = await priced(tx, row, wanted)
  requireFits(quote, wanted)
  requireShown(quote, input.net)
  const running = runningOf(row)
  if (running?.plan === wanted.plan && running.period === wanted.period)
    throw new AppError('conflict', { message: UNCHANGED })
  const by = nameOfActor(actor)
  if (quote.now) return begin(tx, deps, row, wanted, by, running ? 'raised' : 'chosen')
  const next = { nextPlan: wanted.plan, nextPeriod: wanted.period }
  return move(tx, row, 'active', next, { kind: 'planned', on: quote.on, by })
}

/** Nothing is cut: it runs until the end of what is paid. */
export async function leavePlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const found = await lockSubscription(tx, actor.companyId)
  requireVersion(found, input)
  const row = await settle(tx, deps, found)
  const change = { kind: 'left', on: row.paidTo ?? today(), by: nameOfActor(actor) } as const
  return move(tx, row, 'ending', { nextPlan: null, nextPeriod: null }, change)
}

export async function resumePlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const found = await lockSubscription(tx, actor.companyId)
  requireVersion(found, input)
  const row = await settle(tx, deps, found)
  if (row.state !== 'ending' && !row.nextPlan) throw new AppError('invalid-transition')
  const change = { kind: 'resumed', on: today(), by: nameOfActor(actor) } as const
  return move(tx, row, 'active', { nextPlan: null, nextPeriod: null }, change)
}

/** The last day on which everything is paid back; null where it has gone by or nothing was begun. */
export function moneyBackUntil(row: SubscriptionRow): string | null {
  if (!row.startedOn || !runningOf(row)) return null
  const last = addDays(row.startedOn, MONEY_BACK_DAYS)
  return last >= today() ? last : null
}
