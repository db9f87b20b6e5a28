import type { OwnFigures } from '@voisol/contract/own-feed'
import { addDays, localTime } from '@voisol/energy/calendar'
import { asc } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { invoiceScope } from '../../money/invoices/invoices.ts'
import { seriesOf, summaryOf } from '../../understanding/energy/energy.ts'

type Span = { from: string; to: string }
/** From watt-hours that were rounded once, to kilowatt-hours as exactly. */
const kwh = (wattHours: number) => Math.round(wattHours * 1000) / 1_000_000

async function over(db: Db, { config }: Pick<Deps, 'config'>, actor: Actor, span: Span) {
  const { current, steps, receivedUntil } = await summaryOf(db, actor, config, span)
  const figures: OwnFigures = {
    ...span,
    consumedKwh: kwh(current.consumed),
    localKwh: kwh(current.allocated),
    gridKwh: kwh(current.complement),
    producedKwh: kwh(current.produced),
    sharedKwh: kwh(current.shared),
    surplusKwh: kwh(current.surplus),
    localRate: current.selfProduction,
    sharedRate: current.selfConsumption,
    receivedRate: steps.expected ? steps.received / steps.expected : null,
  }
  return { figures, receivedUntil }
}

/** The last day that is there, this month and this year, until today: what a sensor at home shows. */
export async function figuresOf(db: Db, deps: Pick<Deps, 'config'>, actor: Actor) {
  const to = addDays(today(), 1)
  const year = await over(db, deps, actor, { from: `${to.slice(0, 4)}-01-01`, to })
  const month = await over(db, deps, actor, { from: `${today().slice(0, 7)}-01`, to })
  const { receivedUntil } = year
  const last = receivedUntil && localTime(Math.floor(Date.parse(receivedUntil) / 60_000) - 1).day
  const day = last ? await over(db, deps, actor, { from: last, to: addDays(last, 1) }) : null
  return { receivedUntil, lastDay: day?.figures ?? null, month: month.figures, year: year.figures }
}

type Cells = Record<string, string | number | null>
const MOST_DAYS = 800
const USUAL_DAYS = 31

/** A row a day; a day of which nothing is known has empty cells. */
export async function daysOf(
  db: Db,
  actor: Actor,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<Cells[]> {
  const to = asked.to ?? today()
  const from = asked.from ?? addDays(to, -USUAL_DAYS)
  if (to <= from) throw fieldError('to', 'La fin est avant le début\u00a0: choisissez des jours dans l’ordre.')
  if (addDays(from, MOST_DAYS) < to) throw fieldError('from', `Au plus ${MOST_DAYS} jours à la fois.`)
  const series = await snapshot(db, (view) => seriesOf(view, actor, { from, to, granularity: 'day' }))
  const cell = (column: (number | null)[], at: number) => {
    const value = column[at] ?? null
    return value === null ? null : kwh(value)
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

const MOST_INVOICES = 1000
export const invoicesOf = (db: Db, actor: Actor): Promise<Cells[]> =>
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
    .limit(MOST_INVOICES)
