import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BookingCalendar } from './calendar.tsx'
import { formatBookingDay } from './days.ts'
import type { useSlots } from './use-slots.ts'

type DateStepProps = { slots: ReturnType<typeof useSlots>; day: string; onDay: (day: string) => void }

export function DateStep({ slots: { days, error, read }, day, onDay }: DateStepProps) {
  if (error) return <ErrorState error={error} title="Les créneaux n’ont pas pu être lus" onRetry={read} />
  if (!days) return <Skeleton className="mx-auto h-80 w-full max-w-sm" />
  const open = days.filter(({ free }) => free.length > 0).map((one) => one.day)
  if (open.length === 0)
    return (
      <p>
        Tous les créneaux des deux mois à venir sont pris&nbsp;: écrivez-nous à contact@voisol.fr, nous trouverons une
        heure.
      </p>
    )
  return (
    <div className="grid gap-4">
      <p className="text-ink-soft">
        Du lundi au vendredi, jusqu’à soixante jours à l’avance. La démonstration dure trente minutes.
      </p>
      <BookingCalendar days={open} chosen={day} onChoose={onDay} />
    </div>
  )
}

type TimeStepProps = { free: string[]; day: string; time: string; taken: boolean; onTime: (time: string) => void }

export const TimeStep = ({ free, day, time, taken, onTime }: TimeStepProps) => (
  <div className="grid gap-4">
    {taken && (
      <p role="alert" className="rounded-card border border-danger/30 bg-danger-soft p-3 text-danger">
        Ce créneau vient d’être réservé par quelqu’un d’autre&nbsp;: choisissez-en un autre.
      </p>
    )}
    <p className="text-ink-soft">
      <span className="inline-block font-medium text-ink first-letter:uppercase">{formatBookingDay(day)}</span>, heure
      de Paris.
    </p>
    <ul aria-label="Créneaux libres" className="grid grid-cols-3 gap-2 sm:grid-cols-4">
      {free.map((slot) => (
        <li key={slot}>
          <button
            type="button"
            aria-pressed={slot === time}
            onClick={() => onTime(slot)}
            className={cx(
              'tabular h-11 w-full rounded-button border font-medium transition-colors duration-150',
              slot === time
                ? 'border-primary-solid bg-primary-solid text-on-primary-solid'
                : 'border-line-strong bg-card hover:border-primary-ink hover:text-primary-ink',
            )}
          >
            {slot}
          </button>
        </li>
      ))}
    </ul>
    {free.length === 0 && <p>Il n’y a plus d’heure libre ce jour-là&nbsp;: revenez au choix de la date.</p>}
  </div>
)
