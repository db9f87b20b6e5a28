import { Select } from './select.tsx'
import type { Column, Sorting } from './table-head.tsx'

/** A telephone shows no head to press: the order is chosen by name. */
export function SortSelect<Row>({ columns, sorting }: { columns: Column<Row>[]; sorting: Sorting }) {
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
