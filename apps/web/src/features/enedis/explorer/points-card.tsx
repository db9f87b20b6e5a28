import { useQuery } from '@tanstack/react-query'
import { enedis } from '@voisol/contract/enedis'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FaultNote } from '../../../ui/fault.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { AgreementMember } from './model.ts'
import { AgreementPoints } from './points.tsx'
import type { SeriesRequest } from './use-series.ts'

export const usePerimeter = (acc: string, through: SeriesRequest['through']) =>
  useQuery({ ...query(enedis.agreement, { params: { acc }, query: through }), enabled: acc !== '' })

type Props = {
  perimeter: ReturnType<typeof usePerimeter>
  points: AgreementMember[]
  value: string
  onChange: (id: string | undefined) => void
}

/** Who belongs to the agreement, as the distributor has it. */
export function PointsCard({ perimeter, points, value, onChange }: Props) {
  const { data, error, refetch } = perimeter
  return (
    <Card title="Points" description={data && `${formatCount(points.length, 'point')} chez le distributeur`}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data?.trace.fault && <FaultNote fault={data.trace.fault} />}
      {data && !data.trace.fault && <AgreementPoints points={points} value={value} onChange={onChange} />}
    </Card>
  )
}
