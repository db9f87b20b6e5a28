import { useQuery } from '@tanstack/react-query'
import { type HealthMeasure, health } from '@voisol/contract/health'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { formatMeasureValue, formatThreshold, HEALTH_LEVEL_LABELS } from './words.ts'

function Trend({ metric }: { metric: string }) {
  const { data } = useQuery(query(health.history, { query: { metric } }))
  return data ? <Sparkline values={data.points.map(({ value }) => value)} /> : null
}

function MeasureRow({ measure }: { measure: HealthMeasure }) {
  const { label, level, value, advice, metric } = measure
  return (
    <li className="grid gap-1 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 text-body">
          <span className="block font-medium">{label}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{formatThreshold(measure)}</span>
        </span>
        <span className="flex items-center gap-3">
          <Trend metric={metric} />
          <span className="tabular text-body font-semibold">{formatMeasureValue(measure)}</span>
          {value === null ? (
            <Badge>Non mesuré</Badge>
          ) : (
            <Badge tone={HEALTH_LEVEL_LABELS[level].tone}>{HEALTH_LEVEL_LABELS[level].label}</Badge>
          )}
        </span>
      </div>
      {level !== 'ok' && <p className="text-body text-ink-soft">{`À faire\u00a0: ${advice}`}</p>}
    </li>
  )
}

/** What is measured, by what it is of, with thirty days of it. */
export const HealthMeasures = ({ measures }: { measures: HealthMeasure[] }) => (
  // Cards of different heights: columns leave no hole beside a short one.
  <div className="gap-4 lg:columns-2">
    {[...Map.groupBy(measures, ({ group }) => group)].map(([group, own]) => (
      <Card key={group} title={group} className="mb-4 break-inside-avoid">
        <ul className="grid divide-y divide-line">
          {own.map((measure) => (
            <MeasureRow key={measure.metric} measure={measure} />
          ))}
        </ul>
      </Card>
    ))}
  </div>
)
