import { useQuery } from '@tanstack/react-query'
import { audit } from '@voisol/contract/audit'
import { documents } from '@voisol/contract/documents'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { type Operation, operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { sync } from '@voisol/contract/sync'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { type AccessTarget, useCan } from '../../lib/can.tsx'
import { buildTabSearch } from '../../lib/context.ts'
import { ALLOCATION_METHOD_LABELS, OPERATION_STATUS_LABELS } from '../../lib/energy-labels.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useObjectName } from '../../lib/subject.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CompletenessBar } from '../../ui/completeness.tsx'
import { type Fact, SummaryStrip } from '../../ui/detail-screen.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { OperationActions } from './detail/actions.tsx'
import { LazyTab } from './detail/tab.tsx'

const OverviewTab = lazy(() => import('./detail/overview-tab.tsx'))
const ParticipantsTab = lazy(() => import('./detail/participants-tab.tsx'))
const EnergyTab = lazy(() => import('./detail/energy-tab.tsx'))
const KeysTab = lazy(() => import('./detail/keys-tab.tsx'))
const DocumentsTab = lazy(() => import('./detail/documents-tab.tsx'))
const DistributorTab = lazy(() => import('./detail/distributor-tab.tsx'))
const BillingTab = lazy(() => import('./detail/billing-tab.tsx'))
const JournalTab = lazy(() => import('./detail/journal-tab.tsx'))

const TAB_PARAM = 'onglet'
type TabRow = { value: string; label: string; needs: AccessTarget; content: (operation: Operation) => ReactNode }
const TABS: TabRow[] = [
  {
    value: 'apercu',
    label: 'Vue d’ensemble',
    needs: operations.overview,
    content: (operation) => <OverviewTab operation={operation} />,
  },
  {
    value: 'participants',
    label: 'Participants',
    needs: participants.list,
    content: (operation) => <ParticipantsTab operation={operation} />,
  },
  {
    value: 'energie',
    label: 'Énergie',
    needs: energy.series,
    content: (operation) => <EnergyTab operation={operation} />,
  },
  { value: 'cles', label: 'Clés', needs: keys.list, content: (operation) => <KeysTab operation={operation} /> },
  {
    value: 'documents',
    label: 'Documents',
    needs: documents.list,
    content: (operation) => <DocumentsTab operation={operation} />,
  },
  {
    value: 'distributeur',
    label: 'Distributeur',
    needs: sync.standing,
    content: (operation) => <DistributorTab operation={operation} />,
  },
  {
    value: 'facturation',
    label: 'Facturation',
    needs: 'billing.read',
    content: (operation) => <BillingTab operation={operation} />,
  },
  {
    value: 'journal',
    label: 'Journal',
    needs: audit.list,
    content: (operation) => <JournalTab operation={operation} />,
  },
]

const buildSummaryFacts = (operation: Operation): Fact[] => {
  const { status, totalCapacity, producers, consumers, method, completeness } = operation
  return [
    {
      label: 'État',
      value: <Badge tone={OPERATION_STATUS_LABELS[status].tone}>{OPERATION_STATUS_LABELS[status].label}</Badge>,
    },
    {
      label: 'Puissance installée',
      value: totalCapacity > 0 ? `${formatNumber(totalCapacity, 1)}\u00a0kWc` : 'Non renseignée',
    },
    {
      label: 'Participants',
      value: `${formatCount(producers, 'producteur')}, ${formatCount(consumers, 'consommateur')}`,
    },
    { label: 'Clé en vigueur', value: method ? ALLOCATION_METHOD_LABELS[method].label : 'Aucune' },
    { label: 'Complétude sur 30 jours', value: <CompletenessBar share={completeness} /> },
  ]
}

/** The open tab is in the address; another tab starts without the search of the last one, over the same days. */
function OperationTabs({ operation }: { operation: Operation }) {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const allowedTabs = TABS.filter(({ needs }) => can(needs))
  const value = allowedTabs.find((tab) => tab.value === search.get(TAB_PARAM))?.value ?? allowedTabs[0]?.value
  return (
    <Tabs
      label={`Rubriques de ${operation.name}`}
      value={value}
      onChange={(next) => setSearch((old) => buildTabSearch(next, `${old}`), { preventScrollReset: true })}
      tabs={allowedTabs.map(({ content, ...tab }) => ({ ...tab, content: <LazyTab>{content(operation)}</LazyTab> }))}
    />
  )
}

const describeOperation = ({ accNumber, address, postalCode, city }: Operation) =>
  [accNumber ?? 'Sans numéro ACC', [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')

const isNotFoundError = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

const OperationNotFound = () => (
  <>
    <PageHeader title="Opération introuvable" />
    <EmptyState
      title="Cette opération n’existe pas"
      why="Elle a pu être supprimée, ou l’adresse est celle d’une autre organisation."
      action={<ButtonLink to="/acc-operations">Voir les opérations</ButtonLink>}
    />
  </>
)

export default function OperationDetail() {
  const { id = '', operationId = id } = useParams()
  const params = { id: operationId }
  const { data: operation, error, refetch } = useQuery(query(operations.get, { params }))
  const { data: overview } = useQuery(query(operations.overview, { params }))
  useObjectName(operation?.name, 'Opération')
  if (error && isNotFoundError(error)) return <OperationNotFound />
  if (error)
    return (
      <>
        <PageHeader title="Opération" />
        <ErrorState error={error} onRetry={refetch} />
      </>
    )
  if (!operation)
    return (
      <>
        <PageHeader title="Opération" />
        <Skeleton className="h-96 w-full" />
      </>
    )
  return (
    <>
      <PageHeader
        title={operation.name}
        description={describeOperation(operation)}
        actions={<OperationActions operation={operation} overview={overview} />}
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={buildSummaryFacts(operation)} />
        <OperationTabs operation={operation} />
      </div>
    </>
  )
}
