import type { Totals } from '@voisol/contract/energy'
import { type ReportSubject, TABLES, type TableSource } from '@voisol/contract/report-blocks'
import type { FilledTable } from '@voisol/contract/report-content'
import { dayOf } from '@voisol/energy/calendar'
import { frenchDay, frenchMonth } from '../../../french.ts'
import { number } from '../../../pdf/figures.ts'
import { minuteOf } from './charts.ts'
import { moneyTables } from './money-tables.ts'
import type { Scene } from './scene.ts'
import { type Filled, figure, nothing, words } from './table-parts.ts'
import { capital, kwhOr, rateOr, UNKNOWN } from './words.ts'

const UNREAD = 'Rien n’est connu de cette période.'

type Measure = 'produced' | 'shared' | 'surplus' | 'consumed' | 'allocated' | 'complement'
const LABELS: Record<Measure, string> = {
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

async function comparison({ subject: { kind }, span, energy }: Scene): Promise<Filled> {
  const summary = await energy()
  if (!summary) return nothing(UNREAD)
  const spans: (Totals | null)[] = [summary.current, summary.previous, summary.lastYear]
  const rows = [
    ...MEASURES[kind].map((measure) => [
      `Énergie ${LABELS[measure].toLowerCase()}`,
      ...spans.map((totals) => kwhOr(totals?.[measure])),
    ]),
    ...RATES[kind].map((rate) => [RATE_LABELS[rate], ...spans.map((totals) => rateOr(totals?.[rate]))]),
  ]
  // Of a year the period before is the year before.
  const columns = [words('', 34), figure('Cette période', 22), figure('La précédente', 22), figure('Un an avant', 22)]
  const kept = span === 'year' ? 3 : 4
  return { columns: columns.slice(0, kept), rows: rows.map((row) => row.slice(0, kept)), total: false, lead: '' }
}

async function course({ subject: { kind }, span, course: read, energy }: Scene): Promise<Filled> {
  const columns = await read()
  const summary = await energy()
  if (!columns || !summary) return nothing(UNREAD)
  const measures = MEASURES[kind]
  const nameOf = (day: string) => (span === 'year' ? capital(frenchMonth(day)) : frenchDay(day))
  const rows = columns.starts.map((start, at) => [
    nameOf(dayOf(minuteOf(start))),
    ...measures.map((measure) => kwhOr(columns[measure][at])),
  ])
  return {
    columns: [words(span === 'year' ? 'Mois' : 'Jour', 22), ...measures.map((one) => figure(LABELS[one], 16))],
    rows: [...rows, ['Total', ...measures.map((measure) => kwhOr(summary.current[measure]))]],
    total: true,
    lead: `«\u00a0${UNKNOWN}\u00a0» où rien n’est connu.`,
  }
}

async function members({ members: read }: Scene): Promise<Filled> {
  const rows = (await read()).filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (rows.length === 0) return nothing('Personne n’a consommé dans l’opération sur cette période.')
  const ranked = rows.toSorted((a, b) => a.name.localeCompare(b.name, 'fr') || a.prm.localeCompare(b.prm))
  return {
    columns: [
      words('Participant', 40),
      figure('Consommée', 20),
      figure('Locale', 20),
      figure('Couverture', 18),
      figure('Part', 14),
    ],
    rows: ranked.map(({ name, total, local, rate, share }) => [
      name,
      kwhOr(total),
      kwhOr(local),
      rateOr(rate),
      rateOr(share),
    ]),
    total: false,
    lead: '',
  }
}

async function plants({ plants: read }: Scene): Promise<Filled> {
  const rows = (await read()).filter(({ storage }) => !storage)
  if (rows.length === 0) return nothing('Aucune installation n’a produit dans l’opération sur cette période.')
  return {
    columns: [
      words('Installation', 34),
      figure('Puissance', 16),
      figure('Produite', 18),
      figure('Partagée', 18),
      figure('Surplus', 18),
    ],
    rows: rows.map(({ label, participantName, peakWatts, completeness, ...own }) => [
      [label, participantName].filter(Boolean).join(', '),
      peakWatts === null ? UNKNOWN : `${number(peakWatts / 1000, 1)}\u00a0kWc`,
      // Without a single reading, what it produced is not known.
      ...[own.produced, own.shared, own.surplus].map((wh) => (completeness === 0 ? UNKNOWN : kwhOr(wh))),
    ]),
    total: false,
    lead: '',
  }
}

const FILLED: Record<TableSource, (scene: Scene) => Promise<Filled>> = {
  comparison,
  course,
  members,
  plants,
  ...moneyTables,
}

export const fillTable = async (scene: Scene, source: TableSource): Promise<FilledTable> => ({
  kind: 'table',
  source,
  title: TITLES[source] ?? TABLES[source].label,
  ...(await FILLED[source](scene)),
})

const TITLES: Partial<Record<TableSource, string>> = { comparison: 'En comparaison', course: 'Le détail des énergies' }
