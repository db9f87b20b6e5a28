import type { Booking } from '@voisol/contract/bookings'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Agenda } from './agenda.tsx'
import { nameOf } from './labels.ts'
import { BookingList } from './list.tsx'
import { RequestList } from './requests/list.tsx'
import { Sheet } from './sheet.tsx'

/** What visitors booked, and what they asked for. */
export default function BookingDesk() {
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<Booking | null>(null)
  const tabs = [
    { value: 'agenda', label: 'Agenda', content: <Agenda onOpen={setOpen} /> },
    { value: 'liste', label: 'Liste', content: <BookingList onOpen={setOpen} /> },
    { value: 'demandes', label: 'Demandes', content: <RequestList /> },
  ]
  const asked = search.get('onglet')
  const tab = tabs.some(({ value }) => value === asked) ? String(asked) : 'agenda'
  return (
    <>
      <PageHeader
        title="Réservations"
        description="Les démonstrations réservées sur le site, et les demandes de ses visiteurs."
      />
      {/* Filters belong to their tab: another one starts without them. */}
      <Tabs label="Réservations et demandes" tabs={tabs} value={tab} onChange={(onglet) => setSearch({ onglet })} />
      {open && <Sheet id={open.id} title={nameOf(open)} onClose={() => setOpen(null)} />}
    </>
  )
}
