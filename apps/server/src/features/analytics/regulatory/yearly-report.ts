import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { loadEnergyTotalsByPeriod } from '../energy/index.ts'
import { type ExportBuilder, type ExportContent, formatWhAsKwh } from './export-content.ts'
import { listParticipationsOfOperation, type RegulatoryParticipation } from './participation-movements.ts'

/** Amounts invoiced for energy by month, minus credit notes. */
async function loadInvoicedByMonth(
  db: Db,
  companyId: number,
  operationId: string,
  { from, to }: { from: string; to: string },
) {
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

const NO_SALES = { net: 0, gross: 0 }
const formatPercentText = (rate: number | null) =>
  rate === null ? '' : new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 }).format(rate)
const toKwhCell = (wh: number | undefined): SpreadsheetCell => (wh === undefined ? null : Math.round(wh) / 1000)
const toPercentCell = (rate: number | null | undefined): SpreadsheetCell =>
  rate === null || rate === undefined ? null : Math.round(rate * 1000) / 10
const countParticipants = (seats: RegulatoryParticipation[], from: string, to: string) =>
  new Set(
    seats
      .filter(({ startsOn, endsOn }) => startsOn < to && (endsOn === null || endsOn > from))
      .map(({ participantId }) => participantId),
  ).size

type YearlyLine = {
  name: string
  people: number
  totals: PeriodEnergyTotals | null
  sales: { net: number; gross: number }
}

const toYearlyCells = ({ name, people, totals, sales }: YearlyLine): SpreadsheetCell[] => [
  name,
  people,
  toKwhCell(totals?.produced),
  toKwhCell(totals?.shared),
  toKwhCell(totals?.surplus),
  toKwhCell(totals?.consumed),
  toPercentCell(totals?.selfConsumption),
  toPercentCell(totals?.selfProduction),
  sales.net / 100,
  sales.gross / 100,
]
const toYearlyTexts = ({ name, people, totals, sales }: YearlyLine): string[] => [
  name,
  `${people}`,
  totals ? formatWhAsKwh(totals.produced) : '—',
  totals ? formatWhAsKwh(totals.shared) : '—',
  totals ? formatWhAsKwh(totals.consumed) : '—',
  totals ? formatPercentText(totals.selfConsumption) : '—',
  totals ? formatPercentText(totals.selfProduction) : '—',
  formatEuros(sales.gross),
]

const getYearRange = (period: string) => ({ from: `${period}-01-01`, to: `${Number(period) + 1}-01-01` })

/** The year of an operation, by month and in total. */
export const buildYearlyReport: ExportBuilder = async (
  db,
  { config },
  actor,
  { operation, period },
): Promise<ExportContent> => {
  const year = getYearRange(period)
  const months = Array.from({ length: 12 }, (_, at) => ({
    from: addMonths(year.from, at),
    to: addMonths(year.from, at + 1),
  }))
  const ranges = [...months, year]
  const totals = await loadEnergyTotalsByPeriod(db, actor, config, operation.id, ranges)
  const participations = await listParticipationsOfOperation(db, actor.companyId, operation.id)
  const sales = await loadInvoicedByMonth(db, actor.companyId, operation.id, year)
  const sumSales = (key: 'net' | 'gross') => [...sales.values()].reduce((sum, one) => sum + one[key], 0)
  const lines = ranges.map(
    ({ from, to }, at): YearlyLine => ({
      name: at < 12 ? formatFrenchMonth(from) : 'Année',
      people: countParticipants(participations, from, to),
      totals: totals[at] ?? null,
      sales: at < 12 ? (sales.get(from) ?? NO_SALES) : { net: sumSales('net'), gross: sumSales('gross') },
    }),
  )
  const whole = totals[12]
  const monthsWithoutData = totals.slice(0, 12).filter((one) => one === null).length
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
    rows: lines.map(toYearlyCells),
    subjects: [],
    missing: monthsWithoutData > 0 ? [`${monthsWithoutData} mois sans relevé ni calcul`] : [],
    sheet: {
      lead: whole
        ? `${formatWhAsKwh(whole.produced)} kWh produits, dont ${formatWhAsKwh(whole.shared)} kWh partagés\u00a0; ${formatEuros(sumSales('gross'))} TTC facturés.`
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
      rows: lines.map(toYearlyTexts),
    },
  }
}
