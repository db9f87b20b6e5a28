import type { Forecast } from '@voisol/contract/forecasts'
import { useMemo } from 'react'
import { Chart, type Series } from '../../../components/chart.tsx'
import { formatDate } from '../../../lib/format.ts'
import { FORECAST_KIND_LABELS, FORECAST_SPAN_LABELS, formatForecastEnergy } from './labels.ts'

const KIND_COLOURS = {
  production: 'var(--data-local)',
  consumption: 'var(--data-consumption)',
  surplus: 'var(--data-surplus)',
}

const toKilowatts = (watts: (number | null)[]) => watts.map((value) => (value === null ? null : value / 1000))

/** What was measured just before it, then what was said, beside what came of it. */
function buildChartData(said: Forecast): { times: number[]; series: Series[] } {
  const { before, step } = said
  const first = Date.parse(said.startsAt) / 1000 - before.length * step * 60
  const noValues = before.map(() => null)
  const after = (watts: (number | null)[]) => [...noValues, ...toKilowatts(watts)]
  const color = KIND_COLOURS[said.kind]
  return {
    times: Array.from({ length: before.length + said.middle.length }, (_, at) => first + at * step * 60),
    series: [
      {
        label: 'Mesuré',
        color: 'var(--color-ink)',
        kind: 'line',
        values: [...toKilowatts(before), ...toKilowatts(said.measured)],
      },
      {
        label: 'Prévision, bande de 80\u00a0%',
        color,
        kind: 'dashed',
        values: after(said.middle),
        band: { low: after(said.low), high: after(said.high) },
      },
      { label: 'Persistance', color: '#64748B', kind: 'compared', values: after(said.persistence) },
    ],
  }
}

function describeForecast({ days, kind, measured }: Forecast): string {
  const [first] = days
  if (!first || first.middle === null) return 'Rien ne pouvait être dit de ces jours.'
  const band =
    first.low === null || first.high === null
      ? ''
      : `, entre ${formatForecastEnergy(first.low)} et ${formatForecastEnergy(first.high)}`
  const isMeasured = measured.some((value) => value !== null)
  const measuredNote = isMeasured
    ? 'Le mesuré connu depuis est tracé à côté.'
    : 'Rien de ces jours n’est encore mesuré.'
  return `${FORECAST_KIND_LABELS[kind]} prévue le ${formatDate(first.day)}\u00a0: ${formatForecastEnergy(first.middle)}${band}. ${measuredNote} La persistance répète le dernier jour connu.`
}

export function ForecastChart({ said }: { said: Forecast }) {
  const { times, series } = useMemo(() => buildChartData(said), [said])
  const title = `${FORECAST_KIND_LABELS[said.kind]}, ${FORECAST_SPAN_LABELS[said.span]} à partir du ${formatDate(said.issuedOn)}`
  return <Chart title={title} summary={describeForecast(said)} times={times} series={series} unit="kW" />
}
