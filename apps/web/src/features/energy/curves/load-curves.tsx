import { useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import type { Operation } from '@voisol/contract/operations'
import { operations } from '@voisol/contract/operations'
import { useParams } from 'react-router'
import { DetailScreen } from '../../../components/detail-screen.tsx'
import { ExportMenu, SERIES_FORMATS, toSeriesFormat } from '../../../components/export-menu.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { usePeriod } from '../../../components/period/period.ts'
import { useCan } from '../../../lib/can.tsx'
import { useParentName } from '../../../lib/object-names.ts'
import { query } from '../../../lib/queries.ts'
import {
  buildOperationFacts,
  CompletenessTab,
  CurvesTab,
  CurveUnavailable,
  ImportsTab,
  withSkeleton,
} from './curve-tabs.tsx'
import { usePoints } from './queries.ts'

function LoadCurvesContent({ operation }: { operation: Operation }) {
  const can = useCan()
  const { data } = usePoints(operation.id)
  const [{ from, to }] = usePeriod('month')
  return (
    <DetailScreen
      header={
        <PageHeader
          title="Courbes de charge"
          description={
            <>
              Ce que les compteurs de{' '}
              <Link to={`/acc-operations/${operation.id}`} className="text-link">
                {operation.name}
              </Link>{' '}
              ont mesuré, pas par pas.
            </>
          }
          actions={
            <ExportMenu
              endpoint={curves.export}
              formats={SERIES_FORMATS}
              label="Exporter les relevés"
              input={(format) => ({ query: { operationId: operation.id, from, to, format: toSeriesFormat(format) } })}
            />
          }
        />
      }
      facts={buildOperationFacts(operation, data?.total)}
      label="Rubriques des courbes de charge"
      tabs={[
        ...(can(energy.series)
          ? [{ value: 'courbes', label: 'Courbes', content: withSkeleton(<CurvesTab operation={operation} />) }]
          : []),
        {
          value: 'completude',
          label: 'Complétude',
          content: withSkeleton(<CompletenessTab operation={operation} />),
        },
        ...(can(curves.imports)
          ? [{ value: 'imports', label: 'Imports', content: withSkeleton(<ImportsTab operation={operation} />) }]
          : []),
      ]}
    />
  )
}

const useOperation = (id: string) => useQuery(query(operations.get, { params: { id } }))

export default function LoadCurves() {
  const { operationId = '', companyId = '' } = useParams()
  const { data: operation, error, refetch } = useOperation(operationId)
  useParentName(operation?.name, `/companies/${companyId}/operations/${operationId}`)
  if (operation) return <LoadCurvesContent operation={operation} />
  return (
    <>
      <PageHeader title="Courbes de charge" />
      {error ? <CurveUnavailable error={error} onRetry={refetch} /> : <Skeleton className="h-96 w-full" />}
    </>
  )
}
