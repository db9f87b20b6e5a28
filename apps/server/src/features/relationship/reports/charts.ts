import type { EnergySeries } from '@voisol/contract/energy'
import type { ChartSource, ReportSubject } from '@voisol/contract/report-blocks'
import type { FilledChart } from '@voisol/contract/report-content'
import { dayOf, localTime } from '@voisol/energy/calendar'
import { formatCount } from '../../../french.ts'
import type { ReportData } from './scene.ts'
import { formatKwhOrDash, formatRateOrDash, formatShortMonth } from './words.ts'

type Series = FilledChart['series'][number]
type Measure = 'produced' | 'shared' | 'consumed' | 'allocated'
type ChartMeasure = { measure: Measure; label: string; tone: Series['tone'] }

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
function computeMeanDay(columns: EnergySeries, measure: Measure): (number | null)[] {
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
