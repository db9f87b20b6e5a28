import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { PERIMETERS as RULES } from '@voisol/energy/perimeter'
import { lazy, Suspense } from 'react'
import { PERIMETERS } from '../../../lib/energy-labels.ts'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Findings } from '../../../ui/findings.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const PerimeterMap = lazy(async () => ({ default: (await import('../../../ui/map/perimeter-map.tsx')).PerimeterMap }))

/** The map draws the circle of a rule in kilometres; where none is set, that of the usual 2 km gives the scale. */
const limitOf = (perimeter: Operation['perimeter']) => {
  const { km } = RULES[perimeter]
  return km === 10 || km === 20 ? km : 2
}

export function PerimeterCard({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  const points = data.places.map(({ label, latitude, longitude, direction }, at) => ({
    id: String(at),
    label,
    lat: latitude,
    lon: longitude,
    role: direction === 'production' ? ('producer' as const) : ('consumer' as const),
  }))
  return (
    <Card title="Périmètre et puissance" description={PERIMETERS[operation.perimeter]}>
      <div className="grid gap-5 [&>*]:min-w-0">
        <Findings findings={data.findings} fine="Les règles de distance et de puissance sont respectées." />
        {points.length > 1 && RULES[operation.perimeter].km !== null && (
          <Suspense fallback={<Skeleton className="h-72 w-full" />}>
            <PerimeterMap title="Où se trouvent les points" points={points} limitKm={limitOf(operation.perimeter)} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}
