import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { REPORT_TABLES, type ReportSubject, type TableSource } from '@voisol/contract/report-blocks'
import type { FilledTable } from '@voisol/contract/report-content'
import { dayOf } from '@voisol/energy/calendar'
import { formatFrenchDay, formatFrenchMonth } from '../../../french.ts'
import { formatNumber } from '../../../pdf/figures.ts'
import { parseMinute } from './charts.ts'
import { MONEY_TABLES } from './money-tables.ts'
import type { ReportData } from './scene.ts'
import { buildEmptyTable, buildNumberColumn, buildTextColumn, type ReportTableContent } from './table-parts.ts'
import { capitalize, formatKwhOrDash, formatRateOrDash, UNKNOWN_VALUE } from './words.ts'

const NO_DATA_MESSAGE = 'Rien n’est connu de cette période.'

type Measure = 'produced' | 'shared' | 'surplus' | 'consumed' | 'allocated' | 'complement'
const MEASURE_LABELS: Record<Measure, string> = {
  produced: 'Produite',
  shared: 'Partagée',
  surplus: 'Surplus',
  consumed: 'Consommée',
  allocated: 'Locale',
  complement: 'Du réseau',
}
const MEASURES: Record<ReportSubject, Measure[]> = {
  operation: ['produced', 'shared', 'surplus', 'consumed', 'allocated'],
  participant: ['consumed', 'allocated', 'complement'],
  producer: ['produced', 'shared', 'surplus'],
}
const RATES: Record<ReportSubject, ('selfConsumption' | 'selfProduction')[]> = {
  operation: ['selfConsumption', 'selfProduction'],
  participant: ['selfProduction'],
  producer: ['selfConsumption'],
}
const RATE_LABELS = { selfConsumption: 'Autoconsommation', selfProduction: 'Autoproduction' }

async function buildComparisonTable({ subject: { kind }, span, energy }: ReportData): Promise<ReportTableContent> {
  const summary = await energy()
  if (!summary) return buildEmptyTable(NO_DATA_MESSAGE)
  const spans: (PeriodEnergyTotals | null)[] = [summary.current, summary.previous, summary.lastYear]
  const rows = [
    ...MEASURES[kind].map((measure) => [
      `Énergie ${MEASURE_LABELS[measure].toLowerCase()}`,
      ...spans.map((totals) => formatKwhOrDash(totals?.[measure])),
    ]),
    ...RATES[kind].map((rate) => [RATE_LABELS[rate], ...spans.map((totals) => formatRateOrDash(totals?.[rate]))]),
  ]
  // The previous period of a year is the year before.
  const columns = [
    buildTextColumn('', 34),
    buildNumberColumn('Cette période', 22),
    buildNumberColumn('La précédente', 22),
    buildNumberColumn('Un an avant', 22),
  ]
  const columnCount = span === 'year' ? 3 : 4
  return {
    columns: columns.slice(0, columnCount),
    rows: rows.map((row) => row.slice(0, columnCount)),
    total: false,
    lead: '',
  }
}

async function buildCourseTable({
  subject: { kind },
  span,
  course: read,
  energy,
}: ReportData): Promise<ReportTableContent> {
  const columns = await read()
  const summary = await energy()
  if (!columns || !summary) return buildEmptyTable(NO_DATA_MESSAGE)
  const measures = MEASURES[kind]
  const nameOf = (day: string) => (span === 'year' ? capitalize(formatFrenchMonth(day)) : formatFrenchDay(day))
  const rows = columns.starts.map((start, at) => [
    nameOf(dayOf(parseMinute(start))),
    ...measures.map((measure) => formatKwhOrDash(columns[measure][at])),
  ])
  return {
    columns: [
      buildTextColumn(span === 'year' ? 'Mois' : 'Jour', 22),
      ...measures.map((one) => buildNumberColumn(MEASURE_LABELS[one], 16)),
    ],
    rows: [...rows, ['Total', ...measures.map((measure) => formatKwhOrDash(summary.current[measure]))]],
    total: true,
    lead: `«\u00a0${UNKNOWN_VALUE}\u00a0» où rien n’est connu.`,
  }
}

async function buildMembersTable({ members: read }: ReportData): Promise<ReportTableContent> {
  const rows = (await read()).filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (rows.length === 0) return buildEmptyTable('Personne n’a consommé dans l’opération sur cette période.')
  const ranked = rows.toSorted((a, b) => a.name.localeCompare(b.name, 'fr') || a.prm.localeCompare(b.prm))
  return {
    columns: [
      buildTextColumn('Participant', 40),
      buildNumberColumn('Consommée', 20),
      buildNumberColumn('Locale', 20),
      buildNumberColumn('Couverture', 18),
      buildNumberColumn('Part', 14),
    ],
    rows: ranked.map(({ name, total, local, rate, share }) => [
      name,
      formatKwhOrDash(total),
      formatKwhOrDash(local),
      formatRateOrDash(rate),
      formatRateOrDash(share),
    ]),
    total: false,
    lead: '',
  }
}

async function buildPlantsTable({ plants: read }: ReportData): Promise<ReportTableContent> {
  const rows = (await read()).filter(({ storage }) => !storage)
  if (rows.length === 0) return buildEmptyTable('Aucune installation n’a produit dans l’opération sur cette période.')
  return {
    columns: [
      buildTextColumn('Installation', 34),
      buildNumberColumn('Puissance', 16),
      buildNumberColumn('Produite', 18),
      buildNumberColumn('Partagée', 18),
      buildNumberColumn('Surplus', 18),
    ],
    rows: rows.map(({ label, participantName, peakWatts, completeness, ...own }) => [
      [label, participantName].filter(Boolean).join(', '),
      peakWatts === null ? UNKNOWN_VALUE : `${formatNumber(peakWatts / 1000, 1)}\u00a0kWc`,
      // Without any reading, the production is unknown.
      ...[own.produced, own.shared, own.surplus].map((wh) =>
        completeness === 0 ? UNKNOWN_VALUE : formatKwhOrDash(wh),
      ),
    ]),
    total: false,
    lead: '',
  }
}

const TABLE_BUILDERS: Record<TableSource, (scene: ReportData) => Promise<ReportTableContent>> = {
  comparison: buildComparisonTable,
  course: buildCourseTable,
  members: buildMembersTable,
  plants: buildPlantsTable,
  ...MONEY_TABLES,
}

export const fillTable = async (reportData: ReportData, source: TableSource): Promise<FilledTable> => ({
  kind: 'table',
  source,
  title: TITLES[source] ?? REPORT_TABLES[source].label,
  ...(await TABLE_BUILDERS[source](reportData)),
})

const TITLES: Partial<Record<TableSource, string>> = { comparison: 'En comparaison', course: 'Le détail des énergies' }
