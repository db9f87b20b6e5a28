import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { PERIMETERS as RULES } from '@voisol/energy/perimeter'
import { Suspense } from 'react'
import { PERIMETERS } from '../../../lib/energy-labels.ts'
import { query } from '../../../lib/queries.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Findings } from '../../../ui/findings.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const Places = lazy(async () => ({ default: (await import('./perimeter-places.tsx')).PerimeterPlaces }))

const VERDICTS: Record<'fine' | 'unsure' | 'refused', { label: string; tone: Tone }> = {
  fine: { label: 'Conforme', tone: 'success' },
  unsure: { label: 'À vérifier', tone: 'warning' },
  refused: { label: 'Non conforme', tone: 'danger' },
}

export function PerimeterCard({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(operations.overview, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  const { label, tone } = VERDICTS[data.verdict]
  const known = data.places.length + data.unplaced.length
  return (
    <Card
      title="Périmètre et puissance"
      description={PERIMETERS[operation.perimeter]}
      actions={known > 0 && <Badge tone={tone}>{label}</Badge>}
    >
      <div className="grid gap-5 [&>*]:min-w-0">
        <Findings findings={data.findings} fine="Les règles de distance et de puissance sont respectées." />
        {known > 0 &&
          (data.places.length > 1 || data.unplaced.length > 0) &&
          RULES[operation.perimeter].km !== null && (
            <Suspense fallback={<Skeleton className="h-72 w-full" />}>
              <Places operation={operation} places={data.places} unplaced={data.unplaced} />
            </Suspense>
          )}
      </div>
    </Card>
  )
}
