import { useQuery } from '@tanstack/react-query'
import { type SyncError, sync } from '@voisol/contract/sync'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { NATURES } from '../../../lib/distributor-labels.ts'
import { choices } from '../../../lib/energy-labels.ts'
import { explain } from '../../../lib/explain.ts'
import { query, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExportMenu, tableFormat } from '../../../ui/export-menu.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import { useFollow } from '../follow.ts'
import { Choice, OperationFilter } from '../operation-filter.tsx'
import { subjectOf } from '../words.ts'
import { columns } from './columns.tsx'
import { HANDLED, useHandle } from './handled.ts'

const flag = (value: boolean | undefined): 'true' | 'false' | undefined =>
  value === undefined ? undefined : value ? 'true' : 'false'

function CodeFilter({ value, onChange }: { value: string | undefined; onChange: (code: string) => void }) {
  const { data } = useQuery(query(sync.errorGroups, { query: {} }))
  const known = new Set([...(value ? [value] : []), ...(data?.items.map(({ fault }) => fault.code) ?? [])])
  const options = [...known].sort().map((code) => ({ value: code, label: code }))
  return <Choice label="Code" all="Tous les codes" options={options} value={value} onChange={onChange} />
}

type Listed = ReturnType<typeof useErrors>
const useErrors = () => useList(sync.errors)

const Filters = ({ list: { filters, setFilters } }: { list: Listed }) => (
  <>
    <OperationFilter value={filters.operationId} onChange={(operationId) => setFilters({ operationId })} />
    <Choice
      label="Nature"
      all="Toutes les natures"
      options={choices(NATURES)}
      value={filters.nature}
      onChange={(nature) => setFilters({ nature })}
    />
    <CodeFilter value={filters.code} onChange={(code) => setFilters({ code })} />
    <FilterChips
      label="État"
      options={HANDLED}
      value={flag(filters.handled)}
      onChange={(handled) => setFilters({ handled })}
    />
  </>
)

/** What is marked is what is still open among the chosen lines. */
function HandleChosen({ rows, onDone }: { rows: SyncError[]; onDone: () => void }) {
  const { handle, isPending } = useHandle()
  const open = rows.filter(({ handledAt }) => !handledAt).map(({ id }) => id)
  const mark = () =>
    handle({ ids: open }).then(onDone, (error: unknown) =>
      toast({ title: 'Marquage impossible', description: explain(error), variant: 'destructive' }),
    )
  return (
    <Button
      size="small"
      icon={<CircleCheck aria-hidden="true" />}
      loading={isPending}
      disabled={open.length === 0}
      onClick={() => void mark()}
    >
      Marquer comme traité
    </Button>
  )
}

/** Every line, to search, to choose among and to take away. */
export function ErrorList() {
  const list = useErrors()
  const handles = useCan()(sync.handle)
  useFollow(false, list.refetch)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = list.items.filter(({ id }) => ids.has(id))
  return (
    <ListScreen
      list={list}
      label="Erreurs du distributeur"
      search="Rechercher un PRM, un code"
      columns={columns}
      filters={<Filters list={list} />}
      exports={
        <ExportMenu
          endpoint={sync.exportErrors}
          input={(format) => ({
            query: { ...list.filters, handled: flag(list.filters.handled), format: tableFormat(format) },
          })}
        />
      }
      selection={
        handles
          ? {
              ids: new Set(chosen.map(({ id }) => id)),
              onChange: setIds,
              label: ({ fault, prm: digits }) => `${fault.code} ${subjectOf(digits)}`.trim(),
              actions: <HandleChosen rows={chosen} onDone={() => setIds(new Set())} />,
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
