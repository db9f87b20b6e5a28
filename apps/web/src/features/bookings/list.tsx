import { type Booking, bookings } from '@voisol/contract/bookings'
import { dateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu, tableFormat } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { nameOf, STATUSES, statusOptions } from './labels.ts'

const columns: Column<Booking>[] = [
  { header: 'Date', card: 'primary', sort: 'startsAt', cell: (one) => dateTime(one.startsAt) },
  {
    header: 'Visiteur',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{nameOf(one)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{one.email}</span>
      </span>
    ),
  },
  { header: 'Entreprise', card: 'secondary', sort: 'company', cell: (one) => one.company },
  { header: 'Projet', card: 'primary', cell: (one) => one.projectType },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>,
  },
]

export function BookingList({ onOpen }: { onOpen: (booking: Booking) => void }) {
  const list = useList(bookings.list)
  return (
    <ListScreen
      list={list}
      label="Réservations"
      search="Rechercher un nom ou une référence"
      columns={columns}
      filters={
        <FilterChips
          label="État"
          options={statusOptions}
          value={list.filters.status}
          onChange={(status) => list.setFilters({ status })}
        />
      }
      exports={
        <ExportMenu
          endpoint={bookings.export}
          input={(format) => ({ query: { ...list.filters, format: tableFormat(format) } })}
        />
      }
      rowActions={(one) => (
        <Button variant="quiet" size="small" aria-label={`Ouvrir ${nameOf(one)}`} onClick={() => onOpen(one)}>
          Ouvrir
        </Button>
      )}
      empty={
        <EmptyState
          title="Aucune réservation"
          why="Les démonstrations réservées depuis le site apparaîtront ici, avec leur créneau."
          because="comes-by-itself"
        />
      }
    />
  )
}
