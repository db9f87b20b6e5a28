import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { lazy, type ReactNode, Suspense } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { METHODS } from '../../lib/energy-labels.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useStartingPeriod } from './starting-period.ts'
import { TAB, useTabLink } from './tab-link.ts'

const ResultTab = lazy(() => import('./result/result-tab.tsx'))
const KeysTab = lazy(() => import('./keys/keys-tab.tsx'))
const CompareTab = lazy(() => import('./compare/compare-tab.tsx'))
const RunsTab = lazy(() => import('./runs/runs-tab.tsx'))

const TABS: { value: string; label: string; content: (operation: Operation) => ReactNode }[] = [
  { value: 'resultat', label: 'Résultat', content: (operation) => <ResultTab operation={operation} /> },
  { value: 'cles', label: 'Clés', content: (operation) => <KeysTab operation={operation} /> },
  { value: 'comparer', label: 'Comparer', content: (operation) => <CompareTab operation={operation} /> },
  { value: 'calculs', label: 'Calculs', content: (operation) => <RunsTab operation={operation} /> },
]

const waiting = <Skeleton className="h-96 w-full" />

/** The open tab is in the address; another tab keeps the period, not the search of the last one. */
function DistributionTabs({ operation }: { operation: Operation }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const link = useTabLink()
  const isReady = useStartingPeriod(operation.receivedUntil)
  const value = TABS.find((tab) => tab.value === search.get(TAB))?.value ?? 'resultat'
  return (
    <Tabs
      label={`Répartition de ${operation.name}`}
      value={value}
      onChange={(next) => void navigate(link(next), { preventScrollReset: true })}
      tabs={TABS.map(({ content, ...tab }) => ({
        ...tab,
        content: isReady ? <Suspense fallback={waiting}>{content(operation)}</Suspense> : waiting,
      }))}
    />
  )
}

const isUnknown = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

const describe = ({ method }: Operation) =>
  method
    ? `Clé en vigueur\u00a0: ${METHODS[method].label}. ${METHODS[method].meaning}`
    : 'Aucune clé n’est en vigueur\u00a0: préparez-en une dans l’onglet Clés.'

/** How the energy of one operation is shared: result, keys, comparison, runs. */
export default function OperationDistribution() {
  const { id = '', operationId = id } = useParams()
  const { data: operation, error, refetch } = useQuery(query(operations.get, { params: { id: operationId } }))
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
        title={`Répartition de ${operation.name}`}
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
