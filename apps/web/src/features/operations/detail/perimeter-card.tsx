import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import { Suspense } from 'react'
import { PERIMETER_LABELS } from '../../../lib/energy-labels.ts'
import { query } from '../../../lib/queries.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { CheckFindingList } from '../../../ui/findings.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const PerimeterPlaces = lazy(async () => ({ default: (await import('./perimeter-places.tsx')).PerimeterPlaces }))

const PERIMETER_VERDICTS: Record<'fine' | 'unsure' | 'refused', { label: string; tone: Tone }> = {
  fine: { label: 'Conforme', tone: 'success' },
  unsure: { label: 'À vérifier', tone: 'warning' },
  refused: { label: 'Non conforme', tone: 'danger' },
}

export function PerimeterCard({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  const { label, tone } = PERIMETER_VERDICTS[data.verdict]
  const pointCount = data.places.length + data.unplaced.length
  return (
    <Card
      title="Périmètre et puissance"
      description={PERIMETER_LABELS[operation.perimeter]}
      actions={pointCount > 0 && <Badge tone={tone}>{label}</Badge>}
    >
      <div className="grid gap-5 [&>*]:min-w-0">
        <CheckFindingList findings={data.findings} fine="Les règles de distance et de puissance sont respectées." />
        {pointCount > 0 &&
          (data.places.length > 1 || data.unplaced.length > 0) &&
          RULES[operation.perimeter].km !== null && (
            <Suspense fallback={<Skeleton className="h-72 w-full" />}>
              <PerimeterPlaces operation={operation} places={data.places} unplaced={data.unplaced} />
            </Suspense>
          )}
      </div>
    </Card>
  )
}
