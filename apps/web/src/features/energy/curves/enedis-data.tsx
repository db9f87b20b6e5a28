import { useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { distributorFiles } from '@voisol/contract/distributor-files'
import type { Endpoint } from '@voisol/contract/endpoint'
import { energy } from '@voisol/contract/energy'
import { type Operation, operations } from '@voisol/contract/operations'
import { sync } from '@voisol/contract/sync'
import { Fragment, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { SummaryStrip } from '../../../components/detail-screen.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, SERIES_FORMATS, toSeriesFormat } from '../../../components/export-menu.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { usePeriod } from '../../../components/period/period.ts'
import { type Tab, Tabs } from '../../../components/tabs.tsx'
import { Can, useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { buildOperationFacts, CompletenessTab, CurvesTab, ImportsTab, withSkeleton } from './curve-tabs.tsx'
import { usePoints } from './queries.ts'
import { OPERATION_PARAM } from './tab-link.ts'

const FilesTab = lazy(() => import('./files/files-tab.tsx'))
const EventsTab = lazy(() => import('./files/events-tab.tsx'))

const MAX_LISTED_OPERATIONS = 100
const TAB_PARAM = 'onglet'
/** What belongs to the list or the drawing of one tab alone. */
const TAB_ONLY_PARAMS = ['q', 'page', 'sort', 'status', 'points', 'import']

type ChoiceProps = { all: Operation[]; chosen: Operation }

function OperationChoice({ all, chosen }: ChoiceProps) {
  const change = useSetParam()
  const { data } = usePoints(chosen.id)
  return (
    <>
      <div className="w-full sm:max-w-md">
        <FieldFrame id="enedis-operation" label="Opération">
          <Select
            id="enedis-operation"
            value={chosen.id}
            onChange={(event) => change(OPERATION_PARAM, event.target.value, ['points'])}
            options={all.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </FieldFrame>
      </div>
      <SummaryStrip facts={buildOperationFacts(chosen, data?.total)} />
    </>
  )
}

/** Readings are those of an operation; files and events are everybody's. */
function OperationTabContent({
  all,
  chosen,
  children,
}: Partial<ChoiceProps> & { children: (one: Operation) => ReactNode }) {
  if (!all) return <Skeleton className="h-96 w-full" />
  if (!chosen) return NO_OPERATION
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <OperationChoice all={all} chosen={chosen} />
      <Fragment key={chosen.id}>{withSkeleton(children(chosen))}</Fragment>
    </div>
  )
}

const buildTabs = (choice: Partial<ChoiceProps>): (Tab & { needs: Endpoint })[] => [
  {
    value: 'courbes',
    label: 'Courbes',
    needs: energy.series,
    content: <OperationTabContent {...choice}>{(one) => <CurvesTab operation={one} />}</OperationTabContent>,
  },
  {
    value: 'completude',
    label: 'Complétude',
    needs: curves.matrix,
    content: <OperationTabContent {...choice}>{(one) => <CompletenessTab operation={one} />}</OperationTabContent>,
  },
  {
    value: 'fichiers',
    label: 'Fichiers du distributeur',
    needs: distributorFiles.list,
    content: withSkeleton(<FilesTab />),
  },
  {
    value: 'evenements',
    label: 'Événements contractuels',
    needs: distributorFiles.events,
    content: withSkeleton(<EventsTab />),
  },
  {
    value: 'imports',
    label: 'Imports',
    needs: curves.imports,
    content: withSkeleton(<ImportsTab operation={choice.chosen} />),
  },
]

/** Changes one part of the address, and leaves behind what no longer goes with it. */
function useSetParam() {
  const [, setSearch] = useSearchParams()
  return (key: string, value: string, clearedParams: string[]) =>
    setSearch(
      (old) => {
        for (const one of clearedParams) old.delete(one)
        old.set(key, value)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
}

/** The one that was asked for; else the first that runs. */
const pickOperation = (all: Operation[], asked: string | null) =>
  all.find(({ id }) => id === asked) ?? all.find(({ status }) => status === 'active') ?? all[0]

const NO_OPERATION = (
  <EmptyState
    title="Aucune opération"
    why="Les données du distributeur arrivent point par point&nbsp;: il faut d’abord une opération et ses participants."
    action={<ButtonLink to="/acc-operations/new">Nouvelle opération</ButtonLink>}
  />
)

function EnedisDataActions({ operation }: { operation: Operation }) {
  const [{ from, to }] = usePeriod('month')
  return (
    <>
      <ExportMenu
        endpoint={curves.export}
        formats={SERIES_FORMATS}
        label="Exporter les relevés"
        input={(format) => ({ query: { operationId: operation.id, from, to, format: toSeriesFormat(format) } })}
      />
      <Can call={sync.start}>
        <ButtonLink to="/enedis-api/sync-tasks?nouvelle=1">Demander des données</ButtonLink>
      </Can>
    </>
  )
}

/** All that came from the distributor. */
export default function EnedisData() {
  const [search] = useSearchParams()
  const change = useSetParam()
  const can = useCan()
  const { data, error, refetch } = useQuery(
    query(operations.list, { query: { size: MAX_LISTED_OPERATIONS, sort: 'name' } }),
  )
  const chosen = data && pickOperation(data.items, search.get(OPERATION_PARAM))
  const tabs = buildTabs({ all: data?.items, chosen }).filter(({ needs }) => can(needs))
  const tab = tabs.find(({ value }) => value === search.get(TAB_PARAM))?.value ?? tabs[0]?.value
  return (
    <>
      <PageHeader
        title="Données Enedis"
        description="Ce que le distributeur a mesuré et transmis&nbsp;: courbes, manques, fichiers et événements."
        actions={chosen && <EnedisDataActions operation={chosen} />}
      />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Tabs
          label="Rubriques des données Enedis"
          tabs={tabs}
          value={tab}
          onChange={(value) => change(TAB_PARAM, value, TAB_ONLY_PARAMS)}
        />
      )}
    </>
  )
}
