import { useQuery } from '@tanstack/react-query'
import { BOOKING_SLOTS, type Booking, bookings } from '@voisol/contract/bookings'
import { addDays } from '@voisol/energy/calendar'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useSearchParams } from 'react-router'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BOOKING_STATUS_BADGES, formatVisitorName } from './labels.ts'
import { formatShortWeekday, getMonday, getNearestWorkMonday, getTodayInParis, listWorkdays } from './week.ts'

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
