import { useQuery } from '@tanstack/react-query'
import { BOOKING_SLOTS, type Booking, type BookingStatus, bookings, Time } from '@voisol/contract/bookings'
import { addDays } from '@voisol/energy/calendar'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { FactList } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { FieldFrame, Input, Select, Textarea } from '../../../components/input.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import type { Column } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { Can, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime, formatLongDate } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import {
  BOOKING_STATUS_BADGES,
  formatShortWeekday,
  formatVisitorName,
  getMonday,
  getNearestWorkMonday,
  getTodayInParis,
  listWorkdays,
} from './labels.ts'

const STATUS_CLASSES: Record<Booking['status'], string> = {
  booked: 'border-primary/40 bg-primary-soft',
  confirmed: 'border-success/30 bg-success-soft',
  done: 'border-line bg-page',
  'no-show': 'border-warning/30 bg-warning-soft',
  cancelled: 'border-line bg-card text-ink-muted line-through',
}

const AgendaEvent = ({ booking, onOpen }: { booking: Booking; onOpen: (booking: Booking) => void }) => (
  <button
    type="button"
    onClick={() => onOpen(booking)}
    className={cx(
      'w-full rounded-md border px-2 py-1 text-left text-[0.8125rem] leading-tight hover:border-control',
      STATUS_CLASSES[booking.status],
    )}
  >
    <span className="block font-medium">{formatVisitorName(booking)}</span>
    <span className="block text-ink-soft">{booking.company}</span>
    <span className="sr-only">, {BOOKING_STATUS_BADGES[booking.status].label.toLowerCase()}</span>
  </button>
)

type AgendaWeekProps = { days: string[]; items: Booking[]; onOpen: (booking: Booking) => void }
function WeekTable({ days, items, onOpen }: AgendaWeekProps) {
  const at = (day: string, time: string) => items.filter((one) => one.day === day && one.time === time)
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      aria-label="Agenda de la semaine"
      className="relative overflow-x-auto rounded-card border border-line bg-card max-sm:hidden"
    >
      <table className="w-full min-w-[44rem] table-fixed border-collapse text-body">
        <thead>
          <tr className="border-b border-line bg-page text-left">
            <th scope="col" className="w-20 px-3 py-2 font-medium">
              Heure
            </th>
            {days.map((day) => (
              <th
                key={day}
                scope="col"
                aria-current={day === getTodayInParis() ? 'date' : undefined}
                className={cx('px-3 py-2 font-medium', day === getTodayInParis() && 'text-primary-ink')}
              >
                {formatShortWeekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {BOOKING_SLOTS.map((time) => (
            <tr key={time} className="border-b border-line last:border-0">
              <th scope="row" className="tabular px-3 py-2 text-left font-normal text-ink-soft">
                {time}
              </th>
              {days.map((day) => (
                <td key={day} className="h-12 space-y-1 px-1.5 py-1 align-top">
                  {at(day, time).map((booking) => (
                    <AgendaEvent key={booking.id} booking={booking} onOpen={onOpen} />
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** On a telephone five columns would hide four days: those with a meeting, one under the other. */
function DayList({ days, items, onOpen }: AgendaWeekProps) {
  const taken = days.filter((day) => items.some((one) => one.day === day))
  if (taken.length === 0)
    return <p className="text-body text-ink-soft sm:hidden">Aucun rendez-vous cette semaine-là.</p>
  return (
    <ul className="grid gap-4 sm:hidden">
      {taken.map((day) => (
        <li key={day}>
          <h2
            className={cx('mb-2 font-medium first-letter:uppercase', day === getTodayInParis() && 'text-primary-ink')}
          >
            {formatShortWeekday(day)}
          </h2>
          <ul className="grid gap-2">
            {items
              .filter((one) => one.day === day)
              .toSorted((a, b) => a.time.localeCompare(b.time))
              .map((booking) => (
                <li key={booking.id} className="grid grid-cols-[4rem_minmax(0,1fr)] items-center">
                  <span className="tabular text-body text-ink-soft">{booking.time}</span>
                  <AgendaEvent booking={booking} onOpen={onOpen} />
                </li>
              ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** The week at a glance; the week lives in the address. */
export function BookingAgenda({ onOpen }: { onOpen: (booking: Booking) => void }) {
  const [search, setSearch] = useSearchParams()
  const requestedDay = search.get('semaine') ?? ''
  const monday = /^\d{4}-\d\d-\d\d$/.test(requestedDay)
    ? getMonday(requestedDay)
    : getNearestWorkMonday(getTodayInParis())
  const days = listWorkdays(monday)
  const showWeekOf = (day: string) =>
    setSearch((old) => {
      old.set('semaine', day)
      return old
    })
  const { data, error, refetch } = useQuery(
    query(bookings.list, { query: { from: monday, to: addDays(monday, 7), size: 100 } }),
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <IconButton label="Semaine précédente" icon={<ChevronLeft />} onClick={() => showWeekOf(addDays(monday, -7))} />
        <IconButton label="Semaine suivante" icon={<ChevronRight />} onClick={() => showWeekOf(addDays(monday, 7))} />
        <Button variant="secondary" size="small" onClick={() => showWeekOf(getNearestWorkMonday(getTodayInParis()))}>
          Cette semaine
        </Button>
        <p aria-live="polite" className="font-medium sm:ml-2">
          Du {formatShortWeekday(monday)} au {formatShortWeekday(days.at(-1) ?? monday)}
        </p>
      </div>
      {data ? (
        <>
          <WeekTable days={days} items={data.items} onOpen={onOpen} />
          <DayList days={days} items={data.items} onOpen={onOpen} />
        </>
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </div>
  )
}

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

const bookingStatusOptions = Object.entries(BOOKING_STATUS_BADGES).map(([value, { label }]) => ({
  value,
  label,
}))

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

const STATUS_ACTION_LABELS: Partial<Record<BookingStatus, string>> = {
  confirmed: 'Confirmer et envoyer le lien',
  done: 'Marquer comme tenue',
  'no-show': 'Noter l’absence',
  cancelled: 'Annuler la démonstration',
}

const BookingFacts = ({ booking }: { booking: Booking }) => (
  <dl className="grid gap-x-6 gap-y-3 text-body sm:grid-cols-2">
    {[
      ['Entreprise', booking.company],
      ['Type de projet', booking.projectType],
      ['Email', booking.email],
      ['Téléphone', booking.phone || '–'],
      ['Référence', booking.reference],
      ['Demandée le', formatDateTime(booking.createdAt)],
      ...(booking.message ? [['Message', booking.message]] : []),
    ].map(([term, text]) => (
      <div key={term} className={term === 'Message' ? 'sm:col-span-2' : undefined}>
        <dt className="text-[0.8125rem] text-ink-soft">{term}</dt>
        <dd className="break-words whitespace-pre-line">{text}</dd>
      </div>
    ))}
  </dl>
)

const BookingNotes = ({ booking: { meetingUrl, note } }: { booking: Booking }) => (
  <FactList
    facts={[
      { label: 'Lien de la visioconférence', value: meetingUrl || 'Aucun' },
      { label: 'Note interne', value: note || 'Aucune' },
    ]}
  />
)

/** The states that may follow, as the server allows them. */
const NEXT_STATUSES: Record<BookingStatus, BookingStatus[]> = {
  booked: ['confirmed', 'cancelled'],
  confirmed: ['done', 'no-show', 'cancelled'],
  done: [],
  'no-show': [],
  cancelled: [],
}

function BookingForm({ booking }: { booking: Booking }) {
  const update = useAction(bookings.update, [bookings.list, bookings.get])
  const [meetingUrl, setMeetingUrl] = useState(booking.meetingUrl)
  const [note, setNote] = useState(booking.note)
  const [problem, setProblem] = useState('')
  const save = (status?: BookingStatus) =>
    update
      .run({
        params: { id: booking.id },
        body: { version: booking.version, meetingUrl, note, ...(status && { status }) },
      })
      .then(
        () => {
          setProblem('')
          toast({ title: status ? BOOKING_STATUS_BADGES[status].label : 'Enregistré', variant: 'success' })
        },
        (error: unknown) => setProblem(explainError(error)),
      )
  return (
    <div className="grid gap-4">
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <FieldFrame id="meeting" label="Lien de la visioconférence" hint="Envoyé au visiteur à la confirmation." optional>
        <Input id="meeting" type="url" value={meetingUrl} onChange={(event) => setMeetingUrl(event.target.value)} />
      </FieldFrame>
      <FieldFrame id="note" label="Note interne" optional>
        <Textarea id="note" rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      </FieldFrame>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" loading={update.isPending} onClick={() => void save()}>
          Enregistrer
        </Button>
        {NEXT_STATUSES[booking.status].map((status) => (
          <Button
            key={status}
            variant={status === 'cancelled' ? 'danger' : status === 'confirmed' ? 'primary' : 'secondary'}
            disabled={update.isPending}
            onClick={() => void save(status)}
          >
            {STATUS_ACTION_LABELS[status]}
          </Button>
        ))}
      </div>
    </div>
  )
}

function BookingContent({ booking }: { booking: Booking }) {
  const calendar = () =>
    download(bookings.calendar, { params: { id: booking.id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-base font-medium first-letter:uppercase">
          {formatLongDate(booking.startsAt)} à {booking.time}
        </p>
        <Badge tone={BOOKING_STATUS_BADGES[booking.status].tone}>{BOOKING_STATUS_BADGES[booking.status].label}</Badge>
        <Button variant="quiet" size="small" icon={<CalendarPlus aria-hidden="true" />} onClick={() => void calendar()}>
          Fichier ICS
        </Button>
      </div>
      <BookingFacts booking={booking} />
      {NEXT_STATUSES[booking.status].length > 0 && <MoveBooking booking={booking} />}
      <Can call={bookings.update} otherwise={<BookingNotes booking={booking} />}>
        <BookingForm key={booking.version} booking={booking} />
      </Can>
    </div>
  )
}

/** One booking: who, when, and what becomes of it. */
export function BookingDetailDialog({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(bookings.get, { params: { id } }))
  return (
    <Dialog
      title={data ? formatVisitorName(data) : title}
      open
      onOpenChange={(open) => !open && onClose()}
      width="medium"
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <BookingContent booking={data} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}

/** Another day or hour among those still free; the visitor is told by mail. */
const MoveBooking = withAccess(bookings.move, ({ booking }: { booking: Booking }) => {
  const { data } = useQuery(query(bookings.slots, {}))
  const move = useAction(bookings.move, [bookings.list, bookings.get, bookings.slots])
  const [day, setDay] = useState('')
  const [time, setTime] = useState('')
  const [problem, setProblem] = useState('')
  const free = data?.days.find((one) => one.day === day)?.free ?? []
  const chosen = Time.safeParse(time).data
  const run = () =>
    chosen &&
    move.run({ params: { id: booking.id }, body: { version: booking.version, day, time: chosen } }).then(
      () => toast({ title: 'Démonstration déplacée', variant: 'success' }),
      (error: unknown) => setProblem(explainError(error)),
    )
  return (
    <details className="rounded-card border border-line p-4">
      <summary className="min-h-6 cursor-pointer font-medium">Déplacer la démonstration</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
        <FieldFrame id="move-day" label="Jour">
          <Select
            id="move-day"
            value={day}
            onChange={(event) => {
              setDay(event.target.value)
              setTime('')
            }}
            options={[
              { value: '', label: 'Choisissez…' },
              ...(data?.days.filter((one) => one.free.length > 0) ?? []).map((one) => ({
                value: one.day,
                label: formatShortWeekday(one.day),
              })),
            ]}
          />
        </FieldFrame>
        <FieldFrame id="move-time" label="Heure">
          <Select
            id="move-time"
            value={time}
            onChange={(event) => setTime(event.target.value)}
            options={[{ value: '', label: 'Choisissez…' }, ...free.map((one) => ({ value: one, label: one }))]}
          />
        </FieldFrame>
        <Button variant="secondary" disabled={!chosen} loading={move.isPending} onClick={() => void run()}>
          Déplacer et prévenir
        </Button>
      </div>
      {problem && (
        <p role="alert" className="mt-3 text-danger">
          {problem}
        </p>
      )}
    </details>
  )
})
