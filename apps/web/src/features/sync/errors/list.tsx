import { useQuery } from '@tanstack/react-query'
import { type SyncError, sync } from '@voisol/contract/sync'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { FAULT_NATURE_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/explain.ts'
import { query, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../../ui/export-menu.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import { useRefetchWhileWorking } from '../follow.ts'
import { FilterSelect, SyncOperationFilter } from '../operation-filter.tsx'
import { formatSubject } from '../words.ts'
import { syncErrorColumns } from './columns.tsx'
import { HANDLED_OPTIONS, useMarkErrorsHandled } from './handled.ts'

const toFlag = (value: boolean | undefined): 'true' | 'false' | undefined =>
  value === undefined ? undefined : value ? 'true' : 'false'

function CodeFilter({ value, onChange }: { value: string | undefined; onChange: (code: string) => void }) {
  const { data } = useQuery(query(sync.errorGroups, { query: {} }))
  const codes = new Set([...(value ? [value] : []), ...(data?.items.map(({ fault }) => fault.code) ?? [])])
  const options = [...codes].sort().map((code) => ({ value: code, label: code }))
  return <FilterSelect label="Code" all="Tous les codes" options={options} value={value} onChange={onChange} />
}

type ErrorListState = ReturnType<typeof useErrors>
const useErrors = () => useList(sync.errors)

const ErrorFilters = ({ list: { filters, setFilters } }: { list: ErrorListState }) => (
  <>
    <SyncOperationFilter value={filters.operationId} onChange={(operationId) => setFilters({ operationId })} />
    <FilterSelect
      label="Nature"
      all="Toutes les natures"
      options={toChoices(FAULT_NATURE_LABELS)}
      value={filters.nature}
      onChange={(nature) => setFilters({ nature })}
    />
    <CodeFilter value={filters.code} onChange={(code) => setFilters({ code })} />
    <FilterChips
      label="État"
      options={HANDLED_OPTIONS}
      value={toFlag(filters.handled)}
      onChange={(handled) => setFilters({ handled })}
    />
  </>
)

/** What is marked is what is still open among the chosen lines. */
function HandleSelectedButton({ rows, onDone }: { rows: SyncError[]; onDone: () => void }) {
  const { handle, isPending } = useMarkErrorsHandled()
  const open = rows.filter(({ handledAt }) => !handledAt).map(({ id }) => id)
  const markHandled = () =>
    handle({ ids: open }).then(onDone, (error: unknown) =>
      toast({ title: 'Marquage impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      size="small"
      icon={<CircleCheck aria-hidden="true" />}
      loading={isPending}
      disabled={open.length === 0}
      onClick={() => void markHandled()}
    >
      Marquer comme traité
    </Button>
  )
}

/** Every line, to search, to choose among and to take away. */
export function ErrorList() {
  const list = useErrors()
  const canHandle = useCan()(sync.handle)
  useRefetchWhileWorking(false, list.refetch)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = list.items.filter(({ id }) => ids.has(id))
  return (
    <ListScreen
      list={list}
      label="Erreurs du distributeur"
      search="Rechercher un PRM, un code"
      columns={syncErrorColumns}
      filters={<ErrorFilters list={list} />}
      exports={
        <ExportMenu
          endpoint={sync.exportErrors}
          input={(format) => ({
            query: { ...list.filters, handled: toFlag(list.filters.handled), format: toTableFormat(format) },
          })}
        />
      }
      selection={
        canHandle
          ? {
              ids: new Set(chosen.map(({ id }) => id)),
              onChange: setIds,
              label: ({ fault, prm: digits }) => `${fault.code} ${formatSubject(digits)}`.trim(),
              actions: <HandleSelectedButton rows={chosen} onDone={() => setIds(new Set())} />,
            }
          : undefined
      }
      empty={
        <EmptyState
          title="Aucune erreur"
          why="Tout ce qui a été demandé au distributeur a été reçu jusqu’ici."
          because="all-well"
        />
      }
    />
  )
}
