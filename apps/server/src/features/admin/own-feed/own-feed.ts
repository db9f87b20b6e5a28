import type { OwnFigures } from '@voisol/contract/own-feed'
import { addDays, localTime } from '@voisol/energy/calendar'
import { asc } from 'drizzle-orm'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadEnergySeries, loadEnergySummary } from '../../analytics/energy/index.ts'
import { invoiceScope } from '../../billing/invoices/index.ts'

type FeedPeriod = { from: string; to: string }
/** Converts watt-hours to kilowatt-hours without floating-point noise. */
const toKwh = (wattHours: number) => Math.round(wattHours * 1000) / 1_000_000

async function loadFiguresOfPeriod(db: Db, { config }: Pick<Deps, 'config'>, actor: Actor, span: FeedPeriod) {
  const { current, steps, receivedUntil } = await loadEnergySummary(db, actor, config, span)
  const figures: OwnFigures = {
    ...span,
    consumedKwh: toKwh(current.consumed),
    localKwh: toKwh(current.allocated),
    gridKwh: toKwh(current.complement),
    producedKwh: toKwh(current.produced),
    sharedKwh: toKwh(current.shared),
    surplusKwh: toKwh(current.surplus),
    localRate: current.selfProduction,
    sharedRate: current.selfConsumption,
    receivedRate: steps.expected ? steps.received / steps.expected : null,
  }
  return { figures, receivedUntil }
}

/** Energy of the last available day, of this month and of this year: what a home automation sensor shows. */
export async function loadOwnFigures(db: Db, deps: Pick<Deps, 'config'>, actor: Actor) {
  const to = addDays(getToday(), 1)
  const year = await loadFiguresOfPeriod(db, deps, actor, { from: `${to.slice(0, 4)}-01-01`, to })
  const month = await loadFiguresOfPeriod(db, deps, actor, { from: `${getToday().slice(0, 7)}-01`, to })
  const { receivedUntil } = year
  const last = receivedUntil && localTime(Math.floor(Date.parse(receivedUntil) / 60_000) - 1).day
  const day = last ? await loadFiguresOfPeriod(db, deps, actor, { from: last, to: addDays(last, 1) }) : null
  return { receivedUntil, lastDay: day?.figures ?? null, month: month.figures, year: year.figures }
}

type FeedRow = Record<string, string | number | null>
const MAX_DAYS = 800
const DEFAULT_DAYS = 31

/** One row per day; a day without data has empty cells. */
export async function listFeedDays(
  db: Db,
  actor: Actor,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<FeedRow[]> {
  const to = query.to ?? getToday()
  const from = query.from ?? addDays(to, -DEFAULT_DAYS)
  if (to <= from) throw fieldError('to', 'La fin est avant le début\u00a0: choisissez des jours dans l’ordre.')
  if (addDays(from, MAX_DAYS) < to) throw fieldError('from', `Au plus ${MAX_DAYS} jours à la fois.`)
  const series = await readSnapshot(db, (view) => loadEnergySeries(view, actor, { from, to, granularity: 'day' }))
  const cell = (column: (number | null)[], at: number) => {
    const value = column[at] ?? null
    return value === null ? null : toKwh(value)
  }
  return series.starts.map((start, at) => ({
    day: localTime(Math.floor(Date.parse(start) / 60_000)).day,
    consumed_kwh: cell(series.consumed, at),
    local_kwh: cell(series.allocated, at),
    grid_kwh: cell(series.complement, at),
    produced_kwh: cell(series.produced, at),
    shared_kwh: cell(series.shared, at),
    surplus_kwh: cell(series.surplus, at),
  }))
}

const MAX_INVOICES = 1000
export const listFeedInvoices = (db: Db, actor: Actor): Promise<FeedRow[]> =>
  db
    .select({
      number: invoices.number,
      kind: invoices.kind,
      issued_on: invoices.issuedOn,
      due_on: invoices.dueOn,
      from_day: invoices.from,
      to_day: invoices.to,
      wh: invoices.wh,
      net_cents: invoices.net,
      tax_cents: invoices.tax,
      gross_cents: invoices.gross,
    })
    .from(invoices)
    .where(invoiceScope(actor))
    .orderBy(asc(invoices.issuedOn), asc(invoices.number))
    .limit(MAX_INVOICES)
