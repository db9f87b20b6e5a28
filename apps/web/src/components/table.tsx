import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useId, useState } from 'react'
import { formatCount } from '../lib/format.ts'
import { Button } from './button.tsx'
import { CheckboxInput } from './checkbox.tsx'
import { cx } from './cx.ts'
import { Select } from './input.tsx'

export type Selection<Row> = {
  ids: ReadonlySet<string>
  onChange: (ids: ReadonlySet<string>) => void
  /** Names a row for its checkbox. */
  label: (row: Row) => string
  /** Says who is chosen, where it is not those who are ticked. */
  words?: string
  /** Buttons of the bar at the bottom. */
  actions: ReactNode
}

type TableProps<Row> = {
  /** What the rows are; read out as the caption. */
  label: string
  rows: Row[]
  columns: Column<Row>[]
  sorting?: Sorting
  selection?: Selection<Row>
  /** At the end of the row, on hover and focus; always there on touch screens and in cards. */
  rowActions?: (row: Row) => ReactNode
  /** Opened under its row, one by one. */
  detail?: Detail<Row>
}

const toggleIds = (ids: ReadonlySet<string>, changed: string[], on: boolean) => {
  const next = new Set(ids)
  for (const id of changed) on ? next.add(id) : next.delete(id)
  return next
}

function SelectAll<Row extends { id: string }>({ rows, selection }: { rows: Row[]; selection: Selection<Row> }) {
  const chosen = rows.filter((row) => selection.ids.has(row.id)).length
  const id = useId()
  return (
    <th scope="col" className="w-10 pl-3 text-left font-normal max-sm:block max-sm:w-auto max-sm:px-4">
      <label htmlFor={id} className="max-sm:flex max-sm:min-h-11 max-sm:items-center max-sm:gap-3">
        <CheckboxInput
          id={id}
          mixed={chosen > 0 && chosen < rows.length}
          checked={rows.length > 0 && chosen === rows.length}
          onChange={(event) =>
            selection.onChange(
              toggleIds(
                selection.ids,
                rows.map((row) => row.id),
                event.target.checked,
              ),
            )
          }
        />
        <span className="sm:sr-only">Tout sélectionner</span>
      </label>
    </th>
  )
}

function BodyRow<Row extends { id: string }>(
  props: Omit<TableProps<Row>, 'rows' | 'label' | 'sorting'> & { row: Row },
) {
  const { row, columns, selection, rowActions, detail } = props
  const selected = selection?.ids.has(row.id)
  const title = columns.find(({ card }) => card === 'title') ?? columns[0]
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <tr
        className={cx(
          'group border-t border-line max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:gap-y-1.5 max-sm:px-4 max-sm:py-3 max-sm:first:border-t-0',
          selected ? 'bg-primary-soft' : 'hover:bg-page',
        )}
      >
        {selection && (
          <td className="w-10 pl-3 max-sm:order-first max-sm:block max-sm:w-auto max-sm:pl-0">
            <CheckboxInput
              aria-label={`Sélectionner ${selection.label(row)}`}
              checked={selected ?? false}
              onChange={(event) => selection.onChange(toggleIds(selection.ids, [row.id], event.target.checked))}
            />
          </td>
        )}
        {detail && <DetailToggle label={detail.label(row)} open={open} id={id} onChange={setOpen} />}
        {columns.map((column) => (
          <td key={column.header} data-label={column.header} className={getBodyCellClass(column, column === title)}>
            {column.cell(row)}
          </td>
        ))}
        {rowActions && (
          <td className="px-2 text-right max-sm:block max-sm:basis-full max-sm:px-0">
            <span className="inline-flex gap-1 whitespace-nowrap transition-opacity duration-150 group-hover:opacity-100 group-focus-within:opacity-100 has-data-[state=open]:opacity-100 sm:[@media(hover:hover)]:opacity-0">
              {rowActions(row)}
            </span>
          </td>
        )}
      </tr>
      {detail && open && (
        <DetailRow id={id} span={columns.length + [selection, detail, rowActions].filter(Boolean).length}>
          {detail.content(row)}
        </DetailRow>
      )}
    </>
  )
}

export function Table<Row extends { id: string }>({
  label,
  rows,
  columns,
  sorting,
  selection,
  rowActions,
  detail,
}: TableProps<Row>) {
  return (
    <div className="@container flex flex-col rounded-card border border-line bg-card">
      {sorting && <SortSelect columns={columns} sorting={sorting} />}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        data-print="whole"
        data-table={label}
        // Where the table fits, the page alone scrolls and its head stays under that of the shell. Words for readers
        // alone are placed within, so that they widen nothing.
        className="shade-sideways relative overflow-x-auto rounded-card @[68rem]:overflow-visible"
      >
        <table className="w-full border-collapse text-body max-sm:block">
          <caption className="sr-only">{label}</caption>
          <thead
            className={cx(
              'z-10 bg-card shadow-[inset_0_-1px_0_var(--color-line)] @[68rem]:sticky @[68rem]:top-14',
              // Cards have no columns to name: of their head stays what chooses them all.
              selection ? 'max-sm:block [&_th:not(:first-child)]:max-sm:hidden' : 'max-sm:hidden',
            )}
          >
            <tr className="max-sm:block">
              {selection && <SelectAll rows={rows} selection={selection} />}
              {detail && (
                <th scope="col">
                  <span className="sr-only">Détail</span>
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.header} column={column} sorting={sorting} />
              ))}
              {rowActions && <HeaderCell column={{ header: '', cell: () => null }} />}
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {rows.map((row) => (
              <BodyRow
                key={row.id}
                row={row}
                columns={columns}
                selection={selection}
                rowActions={rowActions}
                detail={detail}
              />
            ))}
          </tbody>
        </table>
      </section>
      {selection && selection.ids.size > 0 && (
        <BulkBar count={selection.ids.size} words={selection.words} onClear={() => selection.onChange(new Set())}>
          {selection.actions}
        </BulkBar>
      )}
    </div>
  )
}

/** A telephone shows no head to press: the order is chosen by name. */
function SortSelect<Row>({ columns, sorting }: { columns: Column<Row>[]; sorting: Sorting }) {
  const sortable = columns.flatMap(({ header, sort }) => (sort ? [{ header, sort }] : []))
  if (sortable.length === 0) return null
  return (
    <div className="border-b border-line p-3 sm:hidden">
      <Select
        aria-label="Trier par"
        value={sorting.sort ?? ''}
        onChange={(event) => sorting.onSort(event.target.value)}
        options={[
          ...(sortable.some(({ sort }) => [sort, `-${sort}`].includes(sorting.sort ?? ''))
            ? []
            : [{ value: sorting.sort ?? '', label: 'Trier\u00a0: ordre habituel' }]),
          ...sortable.flatMap(({ header, sort }) => [
            { value: sort, label: `${header}, croissant` },
            { value: `-${sort}`, label: `${header}, décroissant` },
          ]),
        ]}
      />
    </div>
  )
}

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** Name of the column in the `sort` of the list. */
  sort?: string
  align?: 'end'
  /** What it is of a card, on a telephone: its title, a figure with its name, a line of small print, or left out. */
  card?: CardRole
}
type CardRole = 'title' | 'primary' | 'secondary' | 'none'
/** `name` rises, `-name` falls. */
type Sorting = { sort?: string; onSort: (sort: string) => void }

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }
const getSortDirection = (sort: string | undefined, name: string) =>
  sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'

const getCellClass = (align?: 'end') =>
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
const getBodyCellClass = <Row,>(column: Column<Row>, first: boolean) =>
  cx(
    getCellClass(column.align),
    'max-sm:block max-sm:h-auto max-sm:px-0 max-sm:first:pl-0 max-sm:last:pr-0 max-sm:[&_*]:min-w-0 max-sm:[&_*]:whitespace-normal',
    CARD_CLASSES[getCardRole(column, first)],
  )

function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting?: Sorting }) {
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

/** What a row holds beyond its columns, opened under it. */
export type Detail<Row> = { label: (row: Row) => string; content: (row: Row) => ReactNode }

type ToggleProps = { label: string; open: boolean; id: string; onChange: (open: boolean) => void }

const DetailToggle = ({ label, open, id, onChange }: ToggleProps) => (
  <td className="w-10 pl-2 max-sm:order-first max-sm:block max-sm:w-auto max-sm:pl-0">
    <button
      type="button"
      aria-label={label}
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      onClick={() => onChange(!open)}
      className="grid size-8 place-items-center rounded-md text-ink-soft hover:bg-ink/5 hover:text-ink"
    >
      <ChevronRight
        aria-hidden="true"
        className={cx('size-4 transition-transform duration-150 motion-reduce:transition-none', open && 'rotate-90')}
      />
    </button>
  </td>
)

const DetailRow = ({ id, span, children }: { id: string; span: number; children: ReactNode }) => (
  <tr id={id} className="bg-page max-sm:block">
    <td colSpan={span} className="animate-appear max-sm:block px-4 py-4 text-left sm:pl-12">
      {children}
    </td>
  </tr>
)

type BulkBarProps = {
  count: number
  /** Says what is chosen, where it is no row. */
  words?: string
  onClear: () => void
  children: ReactNode
}

/** What can be done with the chosen rows; stays in sight at the bottom, and on a telephone above the cards, over none of them. */
export const BulkBar = ({ count, words, onClear, children }: BulkBarProps) => (
  <div className="sticky bottom-0 z-10 flex animate-rise max-sm:static max-sm:order-first max-sm:rounded-b-none max-sm:border-t-0 max-sm:border-b flex-wrap items-center gap-x-4 gap-y-2 rounded-b-card border-t border-line bg-slate-50 px-4 py-2.5">
    <p role="status" className="tabular text-body font-medium">
      {words ?? formatCount(count, 'ligne sélectionnée', 'lignes sélectionnées')}
    </p>
    <Button variant="quiet" size="small" onClick={onClear}>
      Tout désélectionner
    </Button>
    <div className="flex flex-wrap gap-2 sm:ml-auto">{children}</div>
  </div>
)
