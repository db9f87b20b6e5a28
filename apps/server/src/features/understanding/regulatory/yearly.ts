import type { Totals } from '@voisol/contract/energy'
import { addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Cell } from '../../../files/csv.ts'
import { frenchMonth } from '../../../french.ts'
import { euros } from '../../../papers/decimals.ts'
import { totalsOverEach } from '../energy/energy.ts'
import { type Content, kwhText, type Maker } from './content.ts'
import { yearSpan } from './period.ts'
import { type Seat, seatsOf } from './seats.ts'

/** What was invoiced for energy of each month, by the month it begins in; credit notes are taken away. */
async function salesOf(db: Db, companyId: number, operationId: string, { from, to }: { from: string; to: string }) {
  const { rows } = await db.execute<{ month: string; net: string; gross: string }>(sql`
    select to_char(date_trunc('month', from_day), 'YYYY-MM-DD') as month,
           sum(case when kind = 'creditNote' then -net else net end) as net,
           sum(case when kind = 'creditNote' then -gross else gross end) as gross
      from invoices
     where company_id = ${companyId} and operation_id = ${operationId} and kind <> 'statement' and buyer_id is not null
       and from_day >= ${from} and from_day < ${to}
     group by 1`)
  return new Map(rows.map(({ month, net, gross }) => [month, { net: Number(net), gross: Number(gross) }]))
}

const NONE = { net: 0, gross: 0 }
const percentText = (rate: number | null) =>
  rate === null ? '' : new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 }).format(rate)
const kwh = (wh: number | undefined): Cell => (wh === undefined ? null : Math.round(wh) / 1000)
const share = (rate: number | null | undefined): Cell =>
  rate === null || rate === undefined ? null : Math.round(rate * 1000) / 10
const present = (seats: Seat[], from: string, to: string) =>
  new Set(
    seats
      .filter(({ startsOn, endsOn }) => startsOn < to && (endsOn === null || endsOn > from))
      .map(({ participantId }) => participantId),
  ).size

type Line = { name: string; people: number; totals: Totals | null; sales: { net: number; gross: number } }

const cellsOf = ({ name, people, totals, sales }: Line): Cell[] => [
  name,
  people,
  kwh(totals?.produced),
  kwh(totals?.shared),
  kwh(totals?.surplus),
  kwh(totals?.consumed),
  share(totals?.selfConsumption),
  share(totals?.selfProduction),
  sales.net / 100,
  sales.gross / 100,
]
const wordsOf = ({ name, people, totals, sales }: Line): string[] => [
  name,
  `${people}`,
  totals ? kwhText(totals.produced) : '—',
  totals ? kwhText(totals.shared) : '—',
  totals ? kwhText(totals.consumed) : '—',
  totals ? percentText(totals.selfConsumption) : '—',
  totals ? percentText(totals.selfProduction) : '—',
  euros(sales.gross),
]

/** The year of an operation month by month, and as a whole. */
export const yearlyReport: Maker = async (db, { config }, actor, { operation, period }): Promise<Content> => {
  const year = yearSpan(period)
  const months = Array.from({ length: 12 }, (_, at) => ({
    from: addMonths(year.from, at),
    to: addMonths(year.from, at + 1),
  }))
  const spans = [...months, year]
  const totals = await totalsOverEach(db, actor, config, operation.id, spans)
  const seats = await seatsOf(db, actor.companyId, operation.id)
  const sales = await salesOf(db, actor.companyId, operation.id, year)
  const sold = (key: 'net' | 'gross') => [...sales.values()].reduce((sum, one) => sum + one[key], 0)
  const lines = spans.map(
    ({ from, to }, at): Line => ({
      name: at < 12 ? frenchMonth(from) : 'Année',
      people: present(seats, from, to),
      totals: totals[at] ?? null,
      sales: at < 12 ? (sales.get(from) ?? NONE) : { net: sold('net'), gross: sold('gross') },
    }),
  )
  const whole = totals[12]
  const silent = totals.slice(0, 12).filter((one) => one === null).length
  return {
    header: [
      'Mois',
      'Participants',
      'Production (kWh)',
      'Énergie partagée (kWh)',
      'Surplus (kWh)',
      'Consommation (kWh)',
      'Autoconsommation (%)',
      'Autoproduction (%)',
      'Facturé HT (€)',
      'Facturé TTC (€)',
    ],
    rows: lines.map(cellsOf),
    subjects: [],
    missing: silent > 0 ? [`${silent} mois sans relevé ni calcul`] : [],
    sheet: {
      lead: whole
        ? `${kwhText(whole.produced)} kWh produits, dont ${kwhText(whole.shared)} kWh partagés\u00a0; ${euros(sold('gross'))} TTC facturés.`
        : 'Aucun relevé cette année-là.',
      columns: [
        { head: 'Mois', part: 18 },
        { head: 'Pers.', part: 7, align: 'end' },
        { head: 'Production', part: 14, align: 'end' },
        { head: 'Partagée', part: 13, align: 'end' },
        { head: 'Consommation', part: 15, align: 'end' },
        { head: 'Autocons.', part: 11, align: 'end' },
        { head: 'Autoprod.', part: 11, align: 'end' },
        { head: 'Facturé TTC', part: 14, align: 'end' },
      ],
      rows: lines.map(wordsOf),
    },
  }
}
