import { type ReactNode, useId, useState } from 'react'
import { BulkBar } from './bulk-bar.tsx'
import { CheckboxInput } from './checkbox.tsx'
import { cx } from './cx.ts'
import { type Detail, DetailRow, DetailToggle } from './table-detail.tsx'
import { type Column, getBodyCellClass, HeaderCell, type Sorting } from './table-head.tsx'
import { SortSelect } from './table-sort.tsx'

export type { Column, Sorting } from './table-head.tsx'
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
