import type { EnergySeries, EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import { type ChartSource, type FigureSource, REPORT_FIGURES, type ReportSubject } from '@voisol/contract/report-blocks'
import type { FilledChart, FilledFigure } from '@voisol/contract/report-content'
import { formatFrenchDecimal } from '@voisol/documents/number-and-date-formats'
import { formatNumber, formatPercentValue } from '@voisol/documents/pdf/pdf-number-formats'
import { dayOf, localTime } from '@voisol/energy/calendar'
import { formatCount } from '@voisol/file-formats/french'
import type { ReportData } from './report-data.ts'

export const UNKNOWN_VALUE = '—'
const DECIMAL_THRESHOLD = 100_000

/** Whole kWh, or one decimal for small values. */
const formatKwhNumber = (wh: number) =>
  Math.abs(wh) < DECIMAL_THRESHOLD
    ? formatFrenchDecimal(Math.round(wh / 100), 1)
    : formatFrenchDecimal(Math.round(wh / 1000), 0)
export const formatKwhOrDash = (wh: number | null | undefined) =>
  wh === null || wh === undefined ? UNKNOWN_VALUE : `${formatKwhNumber(wh)}\u00a0kWh`
export const formatEurosOrDash = (cents: number | null | undefined) =>
  cents === null || cents === undefined ? UNKNOWN_VALUE : `${formatFrenchDecimal(cents, 2)}\u00a0€`
/** A ratio as a percentage, or a dash. */
export const formatRateOrDash = (rate: number | null | undefined) =>
  rate === null || rate === undefined ? UNKNOWN_VALUE : formatPercentValue(rate * 100)
const formatKilograms = (grams: number) => formatNumber(grams / 1000, Math.abs(grams) < DECIMAL_THRESHOLD ? 1 : 0)
export const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const MONTHS = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.']
const formatShortMonth = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? ''

type Series = FilledChart['series'][number]
type ChartMeasureName = 'produced' | 'shared' | 'consumed' | 'allocated'
type ChartMeasure = { measure: ChartMeasureName; label: string; tone: Series['tone'] }

const PRODUCED: ChartMeasure = { measure: 'produced', label: 'Produite', tone: 'sun' }
const SHARED: ChartMeasure = { measure: 'shared', label: 'Partagée', tone: 'surplus' }
const CONSUMED: ChartMeasure = { measure: 'consumed', label: 'Consommée', tone: 'night' }
const ALLOCATED: ChartMeasure = { measure: 'allocated', label: 'Locale', tone: 'surplus' }
const CHART_MEASURES: Record<ReportSubject, ChartMeasure[]> = {
  operation: [PRODUCED, SHARED, CONSUMED],
  participant: [CONSUMED, ALLOCATED],
  producer: [PRODUCED, SHARED],
}

export const parseMinute = (start: string) => Date.parse(start) / 60_000
const toKwh = (wh: number | null) => (wh === null ? null : wh / 1000)
const sumValues = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** The maximum and the missing data in words, for readers who cannot see the chart. */
function describeChart(names: string[], series: Series[], place: (name: string) => string): string {
  const said = series.flatMap(({ label, values }) => {
    const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]))
    const top = known.reduce<(typeof known)[number] | null>(
      (best, one) => (best && best.value >= one.value ? best : one),
      null,
    )
    return top
      ? [`${label.toLowerCase()}, au plus ${formatKwhOrDash(top.value * 1000)} ${place(names[top.at] ?? '')}`]
      : []
  })
  const gaps = names.filter((_, at) => series.every(({ values }) => values[at] === null)).length
  const holes = gaps > 0 ? ` Rien n’est connu de ${formatCount(gaps, 'intervalle', 'intervalles')}.` : ''
  return said.length > 0 ? `Énergie\u00a0: ${said.join('\u00a0; ')}.${holes}` : 'Rien n’est connu de cette période.'
}

async function buildCourseChart({
  subject,
  span,
  course: read,
}: ReportData): Promise<Omit<FilledChart, 'kind' | 'source'>> {
  const columns = await read()
  const days = columns?.starts.map((start) => dayOf(parseMinute(start))) ?? []
  const names = days.map((day) => (span === 'year' ? formatShortMonth(day) : String(Number(day.slice(8)))))
  const series = CHART_MEASURES[subject.kind].map(({ measure, label, tone }) => ({
    label,
    tone,
    values: columns?.[measure].map(toKwh) ?? [],
  }))
  const place = (name: string) => (span === 'year' ? `en ${name}` : `le ${name}`)
  const title = span === 'year' ? 'L’énergie, mois par mois' : 'L’énergie, jour par jour'
  // Three bars per day would be too thin to read.
  const shape = span === 'year' ? ('bars' as const) : ('lines' as const)
  return { title, shape, unit: 'kWh', names, series, alt: describeChart(names, series, place) }
}

/** The mean of each hour of the day in local time, over the known hours. */
function computeMeanDay(columns: EnergySeries, measure: ChartMeasureName): (number | null)[] {
  const hours = Array.from({ length: 24 }, (): number[] => [])
  for (const [at, value] of columns[measure].entries()) {
    const hour = Math.floor(localTime(parseMinute(columns.starts[at] ?? '')).minuteOfDay / 60)
    if (value !== null) hours[hour]?.push(value)
  }
  return hours.map((own) => (own.length > 0 ? toKwh(sumValues(own) / own.length) : null))
}

async function buildDayChart({ subject, hours }: ReportData): Promise<Omit<FilledChart, 'kind' | 'source'>> {
  const columns = await hours()
  const series = CHART_MEASURES[subject.kind].map(({ measure, label, tone }) => ({
    label,
    tone,
    values: columns ? computeMeanDay(columns, measure) : [],
  }))
  const names = Array.from({ length: 24 }, (_, hour) => `${hour}h`)
  const alt = describeChart(names, series, (name) => `à ${name}`)
  return { title: 'Une journée moyenne', shape: 'lines', unit: 'kWh', names, series, alt }
}

const MAX_NAMED_SHARES = 12

async function buildSharesChart({ members }: ReportData): Promise<Omit<FilledChart, 'kind' | 'source'>> {
  const drawn = (await members()).filter(({ direction, storage }) => direction === 'consumption' && !storage)
  const ranked = drawn.toSorted((a, b) => b.local - a.local || a.name.localeCompare(b.name, 'fr'))
  const known = ranked.filter(({ share }) => share !== null)
  const rest = known.slice(MAX_NAMED_SHARES)
  const rows = [
    ...known.slice(0, MAX_NAMED_SHARES).map(({ name, share }) => ({ name, part: share ?? 0 })),
    ...(rest.length > 0
      ? [{ name: formatCount(rest.length, 'autre', 'autres'), part: sumValues(rest.map(({ share }) => share)) }]
      : []),
  ]
  const alt = `Parts de l’énergie partagée\u00a0: ${rows.map(({ name, part }) => `${name}, ${formatRateOrDash(part)}`).join('\u00a0; ')}.`
  return {
    title: 'Qui a reçu l’énergie partagée',
    shape: 'shares',
    unit: '%',
    names: rows.map(({ name }) => name),
    series: [{ label: 'Part', tone: 'sun', values: rows.map(({ part }) => part * 100) }],
    alt: rows.length > 0 ? alt : 'Rien n’est connu de cette période.',
  }
}

const CHART_BUILDERS = { course: buildCourseChart, day: buildDayChart, shares: buildSharesChart }
export const fillChart = async (reportData: ReportData, source: ChartSource): Promise<FilledChart> => ({
  kind: 'chart',
  source,
  ...(await CHART_BUILDERS[source](reportData)),
})

type FigureValue = Pick<FilledFigure, 'figure' | 'unit' | 'note'>
const UNKNOWN_FIGURE: FigureValue = { figure: UNKNOWN_VALUE, unit: '', note: 'Non connu sur cette période.' }
const toFigure = (figure: string, unit: string, note = ''): FigureValue => ({ figure, unit, note })
const toEuroFigure = (cents: number | null | undefined, note = ''): FigureValue =>
  cents === null || cents === undefined ? UNKNOWN_FIGURE : toFigure(formatFrenchDecimal(cents, 2), '€', note)

type Measure = 'produced' | 'shared' | 'surplus' | 'consumed' | 'allocated'
/** « +12,3 % sur un an », when the previous year is known. */
function formatChangeSinceLastYear({ current, lastYear }: EnergySummary, measure: Measure): string {
  const before = lastYear?.[measure] ?? 0
  if (before <= 0) return ''
  const change = (current[measure] / before - 1) * 100
  return `${change > 0 ? '+' : ''}${formatNumber(change, 1)}\u00a0% sur un an`
}

async function computeEnergyFigure(
  { energy }: ReportData,
  show: (totals: PeriodEnergyTotals, summary: EnergySummary) => FigureValue,
): Promise<FigureValue> {
  const summary = await energy()
  return summary ? show(summary.current, summary) : UNKNOWN_FIGURE
}
const buildEnergyFigure = (measure: Measure) => (scene: ReportData) =>
  computeEnergyFigure(scene, (totals, summary) =>
    toFigure(formatKwhNumber(totals[measure]), 'kWh', formatChangeSinceLastYear(summary, measure)),
  )
const buildRateFigure = (measure: 'selfConsumption' | 'selfProduction', note: string) => (scene: ReportData) =>
  computeEnergyFigure(scene, ({ [measure]: value }) =>
    value === null ? UNKNOWN_FIGURE : toFigure(formatNumber(value * 100, 1), '%', note),
  )

const FIGURE_BUILDERS: Record<FigureSource, (scene: ReportData) => Promise<FigureValue>> = {
  produced: buildEnergyFigure('produced'),
  shared: buildEnergyFigure('shared'),
  surplus: buildEnergyFigure('surplus'),
  selfConsumption: buildRateFigure('selfConsumption', 'Part de la production consommée sur place'),
  consumed: buildEnergyFigure('consumed'),
  allocated: buildEnergyFigure('allocated'),
  selfProduction: buildRateFigure('selfProduction', 'Part de la consommation couverte par l’énergie locale'),
  co2: (scene) =>
    computeEnergyFigure(scene, ({ co2Grams }, { co2 }) =>
      toFigure(formatKilograms(co2Grams), 'kg', `Facteurs\u00a0: ${co2.source}`),
    ),
  value: (scene) =>
    computeEnergyFigure(scene, ({ valueCents }) => toEuroFigure(valueCents, 'Au prix des opérations, hors taxes')),
  members: async ({ members }) => {
    const people = new Set((await members()).map(({ participantId }) => participantId))
    return toFigure(formatNumber(people.size), '', 'Sur la période')
  },
  billed: async ({ assembly }) => toEuroFigure((await assembly()).totals.billed, 'Avoirs déduits'),
  settled: async ({ assembly }) => toEuroFigure((await assembly()).totals.settled),
  open: async ({ assembly }) => toEuroFigure((await assembly()).totals.open),
  saved: async ({ assembly }) => toEuroFigure((await assembly()).totals.saved, 'Face au prix du fournisseur'),
  earned: async ({ assembly }) => toEuroFigure((await assembly()).earned, 'Ventes TTC, frais déduits'),
  suppliedNet: async ({ annual }) => toEuroFigure((await annual())?.totals.net),
  suppliedGross: async ({ annual }) => toEuroFigure((await annual())?.totals.gross),
  sales: async ({ sold }) => toEuroFigure((await sold())?.total.gross),
  fees: async ({ sold }) => toEuroFigure((await sold())?.total.fees),
  result: async ({ sold }) => {
    const found = await sold()
    return toEuroFigure(found && found.total.gross - found.total.fees)
  },
}

export const fillFigure = async (reportData: ReportData, source: FigureSource): Promise<FilledFigure> => ({
  kind: 'figure',
  source,
  label: REPORT_FIGURES[source].label,
  ...(await FIGURE_BUILDERS[source](reportData)),
})
