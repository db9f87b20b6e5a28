import { useQuery } from '@tanstack/react-query'
import { allocations } from '@voisol/contract/allocations'
import { of } from '@voisol/contract/elision'
import type { Endpoint } from '@voisol/contract/endpoint'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { type Operation, operations } from '@voisol/contract/operations'
import { points } from '@voisol/contract/points'
import { type ReactNode, Suspense } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { useCan } from '../../lib/can.tsx'
import { METHODS } from '../../lib/energy-labels.ts'
import { query } from '../../lib/queries.ts'
import { useParentName } from '../../lib/subject.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useStartingPeriod } from './starting-period.ts'
import { TAB, useTabLink } from './tab-link.ts'

const ResultTab = lazy(() => import('./result/result-tab.tsx'))
const KeysTab = lazy(() => import('./keys/keys-tab.tsx'))
const CompareTab = lazy(() => import('./compare/compare-tab.tsx'))
const RunsTab = lazy(() => import('./runs/runs-tab.tsx'))

type TabRow = { value: string; label: string; needs: Endpoint[]; content: (operation: Operation) => ReactNode }
const TABS: TabRow[] = [
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

const waiting = <Skeleton className="h-96 w-full" />

/** The open tab is in the address; another tab keeps the period, not the search of the last one. */
function DistributionTabs({ operation }: { operation: Operation }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const link = useTabLink()
  const isReady = useStartingPeriod(operation.receivedUntil)
  const can = useCan()
  const open = TABS.filter(({ needs }) => needs.every(can))
  const value = open.find((tab) => tab.value === search.get(TAB))?.value ?? open[0]?.value
  return (
    <Tabs
      label={`Répartition ${of(operation.name)}`}
      value={value}
      onChange={(next) => void navigate(link(next), { preventScrollReset: true })}
      tabs={open.map(({ content, ...tab }) => ({
        ...tab,
        content: isReady ? <Suspense fallback={waiting}>{content(operation)}</Suspense> : waiting,
      }))}
    />
  )
}

const isUnknown = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

const describe = ({ method }: Operation) =>
  method ? `Clé en vigueur\u00a0: ${METHODS[method].label}. ${METHODS[method].meaning}` : 'Aucune clé n’est en vigueur.'

/** How the energy of one operation is shared: result, keys, comparison, runs. */
export default function OperationDistribution() {
  const { id = '', operationId = id } = useParams()
  const { data: operation, error, refetch } = useQuery(query(operations.get, { params: { id: operationId } }))
  useParentName(operation?.name, `/acc-operations/${operationId}`)
  if (error && isUnknown(error)) throw error
  if (!operation)
    return (
      <>
        <PageHeader title="Répartition" />
        {error ? <ErrorState error={error} onRetry={refetch} /> : waiting}
      </>
    )
  return (
    <>
      <PageHeader
        title={`Répartition ${of(operation.name)}`}
        description={describe(operation)}
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
