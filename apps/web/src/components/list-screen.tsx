import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { SearchBox } from './filter-bar.tsx'
import { TableSkeleton } from './loading.tsx'
import { Pagination } from './pagination.tsx'
import { type Column, type Detail, type Selection, Table } from './table.tsx'

/** What `useList` returns, as far as the screen needs it. */
export type ListState<Row> = {
  items: Row[]
  total: number
  isPending: boolean
  error: Error | null
  filters: Record<string, unknown>
  // A method, so that a list whose filters are typed by its own schema fits.
  setFilters(change: Record<string, unknown>): void
  refetch: () => unknown
}

type ListScreenProps<Row> = {
  list: ListState<Row>
  /** What the rows are: « Factures ». */
  label: string
  columns: Column<Row>[]
  empty: ReactNode
  /** Name of the search box; without it there is none. */
  search?: string
  filters?: ReactNode
  actions?: ReactNode
  /** Links that download exactly the filtered set. */
  exports?: ReactNode
  rowActions?: (row: Row) => ReactNode
  selection?: Selection<Row>
  detail?: Detail<Row>
}

const PAGE_SIZE = 50
const VIEW_PARAMS = ['page', 'size', 'sort']
const listActiveFilters = (filters: Record<string, unknown>) =>
  Object.keys(filters).filter((key) => !VIEW_PARAMS.includes(key) && filters[key] !== undefined && filters[key] !== '')
/** Where there is nothing at all, there is nothing to search, to narrow or to take away. */
const isEmptyList = <Row,>({ isPending, error, total, filters }: ListState<Row>) =>
  !isPending && !error && total === 0 && listActiveFilters(filters).length === 0
const toText = (value: unknown) => (typeof value === 'string' ? value : '')

function ListToolbar<Row>({ list, search, filters, exports, actions }: ListScreenProps<Row>) {
  const isEmpty = isEmptyList(list)
  if (!(actions || (!isEmpty && (search || filters || exports)))) return null
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-3">
      {search && !isEmpty && (
        <SearchBox
          label={search}
          value={toText(list.filters.q)}
          onSearch={(q) => list.setFilters({ q: q || undefined, page: 1 })}
          className="w-full sm:w-80"
        />
      )}
      {!isEmpty && filters}
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        {!isEmpty && exports}
        {actions}
      </div>
    </div>
  )
}

function NoMatchState<Row>({ list }: { list: ListState<Row> }) {
  const clear = () =>
    list.setFilters(
      Object.fromEntries([['page', 1], ...listActiveFilters(list.filters).map((key) => [key, undefined])]),
    )
  return (
    <EmptyState
      title="Aucun résultat"
      why="Aucune ligne ne correspond à la recherche et aux filtres choisis."
      action={
        <Button variant="secondary" onClick={clear}>
          Effacer les filtres
        </Button>
      }
    />
  )
}

function ListRows<Row extends { id: string }>({
  list,
  label,
  columns,
  empty,
  rowActions,
  selection,
  detail,
}: ListScreenProps<Row>) {
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />
  if (list.isPending) return <TableSkeleton label={label} />
  if (list.total === 0) return isEmptyList(list) ? empty : <NoMatchState list={list} />
  const size = Number(list.filters.size ?? PAGE_SIZE)
  return (
    <>
      <Table
        label={label}
        rows={list.items}
        columns={columns}
        sorting={{ sort: toText(list.filters.sort), onSort: (sort) => list.setFilters({ sort, page: 1 }) }}
        rowActions={rowActions}
        selection={selection}
        detail={detail}
      />
      {list.total > size && (
        <Pagination
          label={label}
          page={Number(list.filters.page ?? 1)}
          size={size}
          total={list.total}
          onPage={(page) => list.setFilters({ page })}
        />
      )}
    </>
  )
}

/** Search, filters, sort and pages over a list whose state lives in the URL. Data and nodes in; a screen that does not fit uses Table. */
export function ListScreen<Row extends { id: string }>(props: ListScreenProps<Row>) {
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <ListToolbar {...props} />
      <ListRows {...props} />
    </div>
  )
}
