import { type Booking, bookings } from '@voisol/contract/bookings'
import { formatDateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { BOOKING_STATUS_BADGES, bookingStatusOptions, formatVisitorName } from './labels.ts'

const columns: Column<Booking>[] = [
  { header: 'Date', card: 'primary', sort: 'startsAt', cell: (one) => formatDateTime(one.startsAt) },
  {
    header: 'Visiteur',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{formatVisitorName(one)}</span>
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
    cell: ({ status }) => (
      <Badge tone={BOOKING_STATUS_BADGES[status].tone}>{BOOKING_STATUS_BADGES[status].label}</Badge>
    ),
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
          options={bookingStatusOptions}
          value={list.filters.status}
          onChange={(status) => list.setFilters({ status })}
        />
      }
      exports={
        <ExportMenu
          endpoint={bookings.export}
          input={(format) => ({ query: { ...list.filters, format: toTableFormat(format) } })}
        />
      }
      rowActions={(one) => (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Ouvrir ${formatVisitorName(one)}`}
          onClick={() => onOpen(one)}
        >
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
