import type { Forecast } from '@voisol/contract/forecasts'
import { useMemo } from 'react'
import { date } from '../../lib/format.ts'
import { Chart, type Series } from '../../ui/chart.tsx'
import { energyText } from './energy-text.ts'
import { KINDS, SPANS } from './words.ts'

const COLOURS = {
  production: 'var(--data-local)',
  consumption: 'var(--data-consumption)',
  surplus: 'var(--data-surplus)',
}

const kilo = (watts: (number | null)[]) => watts.map((value) => (value === null ? null : value / 1000))

/** What was measured just before it, then what was said, beside what came of it. */
function drawn(said: Forecast): { times: number[]; series: Series[] } {
  const { before, step } = said
  const first = Date.parse(said.startsAt) / 1000 - before.length * step * 60
  const blank = before.map(() => null)
  const after = (watts: (number | null)[]) => [...blank, ...kilo(watts)]
  const color = COLOURS[said.kind]
  return {
    times: Array.from({ length: before.length + said.middle.length }, (_, at) => first + at * step * 60),
    series: [
      { label: 'Mesuré', color: 'var(--color-ink)', kind: 'line', values: [...kilo(before), ...kilo(said.measured)] },
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

function summaryOf({ days, kind, measured }: Forecast): string {
  const [first] = days
  if (!first || first.middle === null) return 'Rien ne pouvait être dit de ces jours.'
  const band =
    first.low === null || first.high === null ? '' : `, entre ${energyText(first.low)} et ${energyText(first.high)}`
  const known = measured.some((value) => value !== null)
  const came = known ? 'Le mesuré connu depuis est tracé à côté.' : 'Rien de ces jours n’est encore mesuré.'
  return `${KINDS[kind]} prévue le ${date(first.day)}\u00a0: ${energyText(first.middle)}${band}. ${came} La persistance répète le dernier jour connu.`
}

export function Picture({ said }: { said: Forecast }) {
  const { times, series } = useMemo(() => drawn(said), [said])
  const title = `${KINDS[said.kind]}, ${SPANS[said.span]} à partir du ${date(said.issuedOn)}`
  return <Chart title={title} summary={summaryOf(said)} times={times} series={series} unit="kW" />
}
