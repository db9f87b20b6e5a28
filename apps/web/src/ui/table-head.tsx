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
  /** What it is of a card, on a telephone: its title, a figure with its name, a line of small print, or left out. */
  card?: CardRole
}
export type CardRole = 'title' | 'primary' | 'secondary' | 'none'
/** `name` rises, `-name` falls. */
export type Sorting = { sort?: string; onSort: (sort: string) => void }

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }
const getSortDirection = (sort: string | undefined, name: string) =>
  sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'

export const getCellClass = (align?: 'end') =>
  cx('h-11 px-3 py-1.5 first:pl-4 last:pr-4', align === 'end' ? 'tabular text-right' : 'text-left')

/** Nothing to tell: a dash in its column, and no line at all in a card. */
export const emptyCell = (
  <span data-none="" className="text-ink-muted">
    –
  </span>
)

/** Without a word the first column names the row, and every other one is a figure of it. */
const getCardRole = ({ card, header }: { card?: CardRole | undefined; header: string }, first: boolean): CardRole =>
  card ?? (first ? 'title' : header === '' ? 'secondary' : 'primary')

const CARD_CLASSES: Record<CardRole, string> = {
  title: 'max-sm:order-first max-sm:min-w-0 max-sm:flex-1 max-sm:py-0 max-sm:text-left',
  primary:
    'max-sm:has-data-none:hidden max-sm:flex max-sm:basis-full max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-0 max-sm:text-right max-sm:before:max-w-[60%] max-sm:before:text-left max-sm:before:text-[0.8125rem] max-sm:before:text-ink-soft max-sm:before:content-[attr(data-label)]',
  secondary: 'max-sm:basis-full max-sm:py-0 max-sm:text-left max-sm:text-[0.8125rem] max-sm:text-ink-soft',
  none: 'max-sm:hidden',
}

/** A cell of a row, and a part of its card below 640 pixels; nothing there keeps a width of its own. */
export const getBodyCellClass = <Row,>(column: Column<Row>, first: boolean) =>
  cx(
    getCellClass(column.align),
    'max-sm:block max-sm:h-auto max-sm:px-0 max-sm:first:pl-0 max-sm:last:pr-0 max-sm:[&_*]:min-w-0 max-sm:[&_*]:whitespace-normal',
    CARD_CLASSES[getCardRole(column, first)],
  )

export function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting?: Sorting }) {
  const { sort: name, header, align } = column
  const className = cx(getCellClass(align), 'text-[0.8125rem] leading-tight font-medium text-ink-soft')
  if (!name || !sorting)
    return (
      <th scope="col" className={className}>
        {header || <span className="sr-only">Actions</span>}
      </th>
    )
  const state = getSortDirection(sorting.sort, name)
  const Icon = sortIcons[state]
  return (
    <th scope="col" aria-sort={state} className={className}>
      <button
        type="button"
        onClick={() => sorting.onSort(state === 'ascending' ? `-${name}` : name)}
        className={cx(
          'inline-flex min-h-8 items-center gap-1.5 rounded-sm hover:text-ink',
          align === 'end' ? 'text-right' : 'text-left',
          state !== 'none' && 'text-ink',
        )}
      >
        {header}
        <Icon aria-hidden="true" className={cx('size-3.5 shrink-0', state === 'none' && 'opacity-50')} />
      </button>
    </th>
  )
}
