import { useQuery } from '@tanstack/react-query'
import { allocations } from '@voisol/contract/allocations'
import { Card } from '../../../../components/card.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { getMeterSideLabel } from '../../../../lib/energy-labels.ts'
import { formatDateTime, formatEnergy } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { toWattHours } from '../labels.tsx'
import { useTabLink } from '../tab-and-period.ts'
import { usePointNames } from '../use-members.ts'

type DifferenceLine = {
  id: string
  label: string
  direction: 'consumption' | 'production'
  storage?: boolean | undefined
  before: number
  after: number
}

const formatSignedEnergy = (wattMinutes: number) =>
  `${wattMinutes > 0 ? '+' : '−'}${formatEnergy(Math.abs(toWattHours(wattMinutes)))}`

const columns: Column<DifferenceLine>[] = [
  { header: 'Point', cell: ({ label }) => <span className="font-medium">{label}</span> },
  { header: 'Sens', cell: getMeterSideLabel },
  { header: 'Calcul précédent', align: 'end', cell: ({ before }) => formatEnergy(toWattHours(before)) },
  { header: 'Ce calcul', align: 'end', cell: ({ after }) => formatEnergy(toWattHours(after)) },
  { header: 'Écart', align: 'end', cell: ({ before, after }) => formatSignedEnergy(after - before) },
]

/** What this run changed of the one that held before, point by point. */
export function DifferenceCard({ runId, operationId }: { runId: string; operationId: string }) {
  const names = usePointNames(operationId)
  const link = useTabLink()
  const { data, error, refetch } = useQuery(query(allocations.difference, { params: { id: runId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-44 w-full" />
  const { previous, items } = data
  const changed = items
    .filter(({ before, after }) => before !== after)
    .map(({ pointId, ...item }) => ({
      ...item,
      label: names.get(pointId) ?? item.label,
      id: `${pointId} ${item.direction}`,
    }))
  return (
    <Card title="Écart avec le calcul précédent">
      {previous === null ? (
        <p className="text-body text-ink-soft">Aucun calcul plus ancien ne couvre ces jours.</p>
      ) : (
        <div className="grid gap-3 [&>*]:min-w-0">
          <p className="text-body">
            Face au{' '}
            <Link to={link('calculs', { calcul: previous.id })} className="text-link">
              calcul du {formatDateTime(previous.createdAt)}
            </Link>
            , sur les jours communs&nbsp;:{' '}
            {changed.length === 0
              ? 'aucun écart, tous les chiffres sont les mêmes.'
              : 'énergie locale de chaque point.'}
          </p>
          {changed.length > 0 && <Table label="Écarts par point" rows={changed} columns={columns} />}
        </div>
      )}
    </Card>
  )
}
