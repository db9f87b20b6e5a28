import { useQuery } from '@tanstack/react-query'
import { allocations } from '@voisol/contract/allocations'
import { withDe } from '@voisol/contract/elision'
import type { Endpoint } from '@voisol/contract/endpoint'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { type Operation, operations } from '@voisol/contract/operations'
import { points } from '@voisol/contract/points'
import { type ReactNode, Suspense } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { ApiError } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { useParentName } from '../../../lib/object-names.ts'
import { query } from '../../../lib/queries.ts'
import { TAB_PARAM, useStartingPeriod, useTabLink } from './tab-and-period.ts'

const ResultTab = lazy(() => import('./result/result-tab.tsx'))
const KeysTab = lazy(() => import('./keys/keys-tab.tsx'))
const CompareTab = lazy(() => import('./compare/compare-tab.tsx'))
const RunsTab = lazy(() => import('./runs/runs-tab.tsx'))

type TabDefinition = { value: string; label: string; needs: Endpoint[]; content: (operation: Operation) => ReactNode }
const TABS: TabDefinition[] = [
  {
    value: 'resultat',
    label: 'Résultat',
    needs: [energy.series],
    content: (operation) => <ResultTab operation={operation} />,
  },
  {
    value: 'cles',
    label: 'Clés',
    needs: [keys.list, points.list],
    content: (operation) => <KeysTab operation={operation} />,
  },
  {
    value: 'comparer',
    label: 'Comparer',
    needs: [keys.compare, points.list],
    content: (operation) => <CompareTab operation={operation} />,
  },
  {
    value: 'calculs',
    label: 'Calculs',
    needs: [allocations.list],
    content: (operation) => <RunsTab operation={operation} />,
  },
]

const loadingSkeleton = <Skeleton className="h-96 w-full" />

/** The open tab is in the address; another tab keeps the period, not the search of the last one. */
function DistributionTabs({ operation }: { operation: Operation }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const link = useTabLink()
  const isReady = useStartingPeriod(operation.receivedUntil)
  const can = useCan()
  const visibleTabs = TABS.filter(({ needs }) => needs.every(can))
  const value = visibleTabs.find((tab) => tab.value === search.get(TAB_PARAM))?.value ?? visibleTabs[0]?.value
  return (
    <Tabs
      label={`Répartition ${withDe(operation.name)}`}
      value={value}
      onChange={(next) => void navigate(link(next), { preventScrollReset: true })}
      tabs={visibleTabs.map(({ content, ...tab }) => ({
        ...tab,
        content: isReady ? <Suspense fallback={loadingSkeleton}>{content(operation)}</Suspense> : loadingSkeleton,
      }))}
    />
  )
}

const isNotFoundError = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

const describeKeyInForce = ({ method }: Operation) =>
  method
    ? `Clé en vigueur\u00a0: ${ALLOCATION_METHOD_LABELS[method].label}. ${ALLOCATION_METHOD_LABELS[method].meaning}`
    : 'Aucune clé n’est en vigueur.'

/** How the energy of one operation is shared: result, keys, comparison, runs. */
export default function OperationDistribution() {
  const { id = '', operationId = id } = useParams()
  const { data: operation, error, refetch } = useQuery(query(operations.get, { params: { id: operationId } }))
  useParentName(operation?.name, `/acc-operations/${operationId}`)
  if (error && isNotFoundError(error)) throw error
  if (!operation)
    return (
      <>
        <PageHeader title="Répartition" />
        {error ? <ErrorState error={error} onRetry={refetch} /> : loadingSkeleton}
      </>
    )
  return (
    <>
      <PageHeader
        title={`Répartition ${withDe(operation.name)}`}
        description={describeKeyInForce(operation)}
        actions={
          <ButtonLink variant="secondary" to={`/acc-operations/${operation.id}`}>
            Voir l’opération
          </ButtonLink>
        }
      />
      <DistributionTabs operation={operation} />
    </>
  )
}
