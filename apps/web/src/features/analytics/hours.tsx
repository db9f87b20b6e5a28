import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics, MEASURE_WORDS, Measure, type Shape } from '@voisol/contract/analytics'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { HeatMap } from '../../ui/heat-map/heat-map.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Boxes } from './boxes.tsx'
import { Carbon } from './carbon.tsx'
import { Duration } from './duration.tsx'

const MEASURES = Measure.options.map((value) => ({ value, label: MEASURE_WORDS[value] }))
const AMBER: Measure[] = ['produced', 'allocated', 'surplus']
/** A little over a year of hours is read at once. */
const MOST_DAYS = 400

type Props = {
  where: { from: string; to: string; operationId?: string }
  measure: Measure
  onMeasure: (measure: string) => void
}

/** The hours of the period: as a map, spread by hour of the day, and from the highest to the lowest. */
export default function Hours({ where, measure, onMeasure }: Props) {
  const long = daysBetween(where.from, where.to) > MOST_DAYS
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
          options={MEASURES}
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
      {!long && data && <Pictures data={data} />}
    </Card>
  )
}

function Pictures({ data }: { data: Shape }) {
  const word = MEASURE_WORDS[data.measure]
  // What has not begun cannot be missing.
  const heat = useMemo(() => {
    const days = data.heat.days.filter((day) => day <= todayInParis())
    return { days, hours: data.heat.hours.slice(0, days.length) }
  }, [data])
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      {heat.days.length > 0 && (
        <HeatMap title={`${word}, heure par jour`} data={heat} hue={AMBER.includes(data.measure) ? 'amber' : 'blue'} />
      )}
      <div className="grid gap-8 xl:grid-cols-2 [&>*]:min-w-0">
        <Boxes title={`${word}\u00a0: étendue par heure`} boxes={data.boxes} />
        <Duration title={`${word}\u00a0: courbe monotone`} duration={data.duration} />
      </div>
      <Carbon co2={data.co2} />
    </div>
  )
}
