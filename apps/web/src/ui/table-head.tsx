import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** Name of the column in the `sort` of the list. */
  sort?: string
  align?: 'end'
}
/** `name` rises, `-name` falls. */
export type Sorting = { sort?: string; onSort: (sort: string) => void }

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }
const direction = (sort: string | undefined, name: string) =>
  sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'

export const cellClass = (align?: 'end') => cx('h-11 px-4 py-1.5', align === 'end' ? 'tabular text-right' : 'text-left')

export function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting?: Sorting }) {
  const { sort: name, header, align } = column
  const className = cx(cellClass(align), 'text-[0.8125rem] font-medium whitespace-nowrap text-ink-soft')
  if (!name || !sorting)
    return (
      <th scope="col" className={className}>
        {header || <span className="sr-only">Actions</span>}
      </th>
    )
  const state = direction(sorting.sort, name)
  const Icon = icons[state]
  return (
    <th scope="col" aria-sort={state} className={className}>
      <button
        type="button"
        onClick={() => sorting.onSort(state === 'ascending' ? `-${name}` : name)}
        className={cx(
          'inline-flex min-h-8 items-center gap-1.5 rounded-sm hover:text-ink',
          state !== 'none' && 'text-ink',
        )}
      >
        {header}
        <Icon aria-hidden="true" className={cx('size-3.5', state === 'none' && 'opacity-50')} />
      </button>
    </th>
  )
}
