import type { Booking } from '@voisol/contract/bookings'
import { requests } from '@voisol/contract/requests'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { BookingAgenda, BookingDetailDialog, BookingList } from '../../features/site/bookings/bookings.tsx'
import { formatVisitorName } from '../../features/site/bookings/labels.ts'
import { RequestList } from '../../features/site/requests/list.tsx'
import { useCan } from '../../lib/can.tsx'

/** What visitors booked, and what they asked for. */
export default function BookingsPage() {
  const [search, setSearch] = useSearchParams()
  const canSeeRequests = useCan()(requests.list)
  const [open, setOpen] = useState<Booking | null>(null)
  const tabs = [
    { value: 'agenda', label: 'Agenda', content: <BookingAgenda onOpen={setOpen} /> },
    { value: 'liste', label: 'Liste', content: <BookingList onOpen={setOpen} /> },
    ...(canSeeRequests ? [{ value: 'demandes', label: 'Demandes', content: <RequestList /> }] : []),
  ]
  const requestedTab = search.get('onglet')
  const tab = tabs.some(({ value }) => value === requestedTab) ? String(requestedTab) : 'agenda'
  return (
    <>
      <PageHeader
        title="Réservations"
        description={
          canSeeRequests
            ? 'Les démonstrations réservées sur le site, et les demandes de ses visiteurs.'
            : 'Les démonstrations réservées sur le site.'
        }
      />
      {/* Filters belong to their tab: another one starts without them. */}
      <Tabs label="Réservations et demandes" tabs={tabs} value={tab} onChange={(onglet) => setSearch({ onglet })} />
      {open && <BookingDetailDialog id={open.id} title={formatVisitorName(open)} onClose={() => setOpen(null)} />}
    </>
  )
}
