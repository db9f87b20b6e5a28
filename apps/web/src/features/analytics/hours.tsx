import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AnalyticsMeasure, analytics, type LoadShape, MEASURE_LABELS } from '@voisol/contract/analytics'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { HeatMap } from '../../ui/heat-map/heat-map.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { HourBoxPlot } from './boxes.tsx'
import { CarbonTiles } from './carbon.tsx'
import { LoadDurationCurve } from './duration.tsx'

const MEASURE_OPTIONS = AnalyticsMeasure.options.map((value) => ({ value, label: MEASURE_LABELS[value] }))
const AMBER_MEASURES: AnalyticsMeasure[] = ['produced', 'allocated', 'surplus']
/** A little over a year of hours is read at once. */
const MAX_HOURLY_DAYS = 400

type Props = {
  where: { from: string; to: string; operationId?: string }
  measure: AnalyticsMeasure
  onMeasure: (measure: string) => void
}

/** The hours of the period: as a map, spread by hour of the day, and from the highest to the lowest. */
export default function Hours({ where, measure, onMeasure }: Props) {
  const long = daysBetween(where.from, where.to) > MAX_HOURLY_DAYS
  const { data, error, refetch } = useQuery({
    ...query(analytics.shape, { query: { ...where, measure } }),
    placeholderData: keepPreviousData,
    enabled: !long,
  })
  return (
    <Card
      title="Heure par heure"
      actions={
        <Select
          aria-label="Énergie regardée"
          value={measure}
          onChange={(event) => onMeasure(event.target.value)}
          options={MEASURE_OPTIONS}
        />
      }
    >
      {long && (
        <EmptyState
          title="Période trop longue"
          why="Les heures se lisent sur une année au plus. Choisissez une période plus courte."
          because="chosen-here"
        />
      )}
      {!long && error && <ErrorState error={error} onRetry={refetch} />}
      {!long && !data && !error && <Skeleton className="h-96 w-full" />}
      {!long && data && <HourlyCharts data={data} />}
    </Card>
  )
}

function HourlyCharts({ data }: { data: LoadShape }) {
  const word = MEASURE_LABELS[data.measure]
  // What has not begun cannot be missing.
  const heat = useMemo(() => {
    const days = data.heat.days.filter((day) => day <= getTodayInParis())
    return { days, hours: data.heat.hours.slice(0, days.length) }
  }, [data])
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      {heat.days.length > 0 && (
        <HeatMap
          title={`${word}, heure par jour`}
          data={heat}
          hue={AMBER_MEASURES.includes(data.measure) ? 'amber' : 'blue'}
        />
      )}
      <div className="grid gap-8 xl:grid-cols-2 [&>*]:min-w-0">
        <HourBoxPlot title={`${word}\u00a0: étendue par heure`} boxes={data.boxes} />
        <LoadDurationCurve title={`${word}\u00a0: courbe monotone`} duration={data.duration} />
      </div>
      <CarbonTiles co2={data.co2} />
    </div>
  )
}
