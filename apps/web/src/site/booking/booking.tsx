import { BookingRequest, bookings, PROJECT_TYPES } from '@voisol/contract/bookings'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { Button, ButtonLink } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Select, Textarea } from '../../components/input.tsx'
import { Skeleton } from '../../components/loading.tsx'
import { Steps } from '../../components/steps.tsx'
import { ApiError, call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { randomId } from '../../lib/random-id.ts'
import { toast } from '../../lib/toast.ts'
import {
  buildEventLink,
  formatBookingDay,
  formatCalendarMonth,
  formatDayOfMonth,
  listMonthWeeks,
} from './booking-calendar.ts'

/** The site has no shell: what it says stays as long as anything else. */
const SITE_TOAST_MS = 5000
const BOOKING_STEPS = ['Date', 'Heure', 'Coordonnées']
const REQUIRED_FIELDS = ['firstName', 'lastName', 'email', 'company', 'projectType'] as const
const EMPTY_FORM = { firstName: '', lastName: '', email: '', phone: '', company: '', message: '', date: '' }

const notifyBookingFailure = () =>
  toast({
    title: 'Erreur',
    description: 'Une erreur est survenue lors de la réservation',
    variant: 'destructive',
  })

type DialogProps = { open: boolean; onClose: () => void }
type BookingState = { step: number; day: string; time: string; taken: boolean; link: string }
const INITIAL_BOOKING: BookingState = { step: 0, day: '', time: '', taken: false, link: '' }

function useBooking(refresh: () => Promise<void>) {
  const [choice, setChoice] = useState(INITIAL_BOOKING)
  const change = (more: Partial<BookingState>) => setChoice((old) => ({ ...old, ...more }))
  const key = useRef(randomId())
  const { day, time } = choice
  const form = useSchemaForm(BookingRequest, {
    defaults: EMPTY_FORM,
    save: async (body) => {
      try {
        await call(bookings.create, { body }, key.current)
      } catch (error) {
        notifyBookingFailure()
        const taken = error instanceof ApiError && error.status === 409
        key.current = randomId()
        if (taken) await refresh().then(() => change({ step: 1, time: '', taken: true }))
        else throw error
        return
      }
      const name = `${body.firstName} ${body.lastName}`
      const link = buildEventLink({ day, time, name, company: body.company, projectType: body.projectType })
      change({ step: 3, link })
      toast({
        title: 'Démonstration confirmée !',
        description: 'Vous recevrez un email de confirmation dans quelques minutes.',
        variant: 'success',
        duration: SITE_TOAST_MS,
      })
      window.open(link, '_blank', 'noopener')
    },
  })
  const confirm = () => {
    if (!day || !time)
      return toast({
        title: 'Informations manquantes',
        description: 'Veuillez sélectionner une date et une heure',
        variant: 'destructive',
      })
    // Noon in Greenwich is the same day in Paris, summer and winter.
    form.setValue('date', `${day}T12:00:00.000Z`)
    form.setValue('time', time as BookingRequest['time']) // one of the slots the server offered
    return form.submit()
  }
  const reset = () => {
    setChoice(INITIAL_BOOKING)
    form.reset(EMPTY_FORM)
    key.current = randomId()
  }
  return { choice, change, form, confirm, reset }
}

const BookingConfirmation = ({ day, time, link }: BookingState) => (
  <div className="grid justify-items-center gap-3 py-4 text-center">
    <CircleCheck aria-hidden="true" className="size-12 text-success" />
    <p className="text-lg font-medium">
      <span className="inline-block first-letter:uppercase">{formatBookingDay(day)}</span> à {time}
    </p>
    <p className="max-w-sm text-ink-soft">
      Vous recevrez un email de confirmation dans quelques minutes. Le lien de la visioconférence vous sera envoyé par
      email.
    </p>
    <ButtonLink to={link} target="_blank" rel="noopener noreferrer" variant="secondary">
      Ajouter à mon agenda
    </ButtonLink>
  </div>
)

/** Three steps: the day, the hour, who comes. */
export function BookingDialog({ open, onClose }: DialogProps) {
  const slots = useSlots(open)
  const { choice, change, form, confirm, reset } = useBooking(slots.read)
  const { step, day, time } = choice
  const values = form.watch()
  const complete = REQUIRED_FIELDS.every((name) => values[name as keyof BookingInput]?.trim())
  const busy = form.formState.isSubmitting
  const close = () => {
    if (step === 3) reset()
    onClose()
  }
  const back = step > 0 && step < 3 && (
    <Button variant="secondary" disabled={busy} onClick={() => change({ step: step - 1 })}>
      Retour
    </Button>
  )
  const next = (ready: boolean) => (
    <Button disabled={!ready} onClick={() => change({ step: step + 1, taken: false })}>
      Suivant
    </Button>
  )
  const actions = [
    <>
      <Button variant="secondary" onClick={close}>
        Annuler
      </Button>
      {next(day !== '')}
    </>,
    <>
      {back}
      {next(time !== '')}
    </>,
    <>
      {back}
      <Button type="submit" disabled={!complete} loading={busy}>
        {busy ? 'Réservation...' : 'Confirmer la réservation'}
      </Button>
    </>,
    <Button key="close" onClick={close}>
      Fermer
    </Button>,
  ][step]
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && close()}
      title={step === 3 ? 'Démonstration confirmée' : 'Demander une démonstration'}
      description={step === 3 ? undefined : 'Trente minutes avec un de nos spécialistes, sur vos questions.'}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
        className="grid gap-6"
      >
        {step < 3 && <Steps steps={BOOKING_STEPS} current={step} onStep={(to) => change({ step: to })} />}
        {step === 0 && (
          <DateStep slots={slots} day={day} onDay={(chosen) => change({ day: chosen, time: '', taken: false })} />
        )}
        {step === 1 && (
          <TimeStep
            {...choice}
            free={slots.days?.find((one) => one.day === day)?.free ?? []}
            onTime={(chosen) => change({ time: chosen, taken: false })}
          />
        )}
        {step === 2 && <BookingDetails form={form} day={day} time={time} />}
        {step === 3 && <BookingConfirmation {...choice} />}
        <footer className="flex flex-wrap justify-end gap-2">{actions}</footer>
      </form>
    </Dialog>
  )
}

const BookingSummary = ({ day, time }: { day: string; time: string }) => (
  <p className="flex items-start gap-3 rounded-card border border-[#fbd38a] bg-[#fffaf0] p-4">
    <CalendarDays aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-[#b45309]" />
    <span>
      <span className="block font-medium first-letter:uppercase">
        {formatBookingDay(day)} à {time}
      </span>
      <span className="text-[0.9375rem] text-ink-soft">Visioconférence de 30 minutes, heure de Paris</span>
    </span>
  </p>
)

type BookingForm = Pick<UseFormReturn<BookingInput, unknown, z.output<typeof BookingRequest>>, 'register' | 'formState'>

type BookingInput = z.input<typeof BookingRequest>

const PROJECT_TYPE_OPTIONS = [
  { value: '', label: 'Choisissez…' },
  ...PROJECT_TYPES.map((type) => ({ value: type as string, label: type as string })),
]

const BookingDetails = ({ form, day, time }: { form: BookingForm; day: string; time: string }) => (
  <div className="grid gap-4">
    <BookingSummary day={day} time={time} />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
      <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
    </div>
    <Field form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
    <Field form={form} name="phone" label="Téléphone" type="tel" inputMode="tel" autoComplete="tel" optional />
    <Field form={form} name="company" label="Entreprise" autoComplete="organization" />
    <Field form={form} name="projectType" label="Type de projet">
      {(control) => <Select {...control} options={PROJECT_TYPE_OPTIONS} />}
    </Field>
    <Field form={form} name="message" label="Message" optional>
      {(control) => <Textarea {...control} rows={3} />}
    </Field>
  </div>
)

type DateStepProps = { slots: ReturnType<typeof useSlots>; day: string; onDay: (day: string) => void }

function DateStep({ slots: { days, error, read }, day, onDay }: DateStepProps) {
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

const TimeStep = ({ free, day, time, taken, onTime }: TimeStepProps) => (
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

const WEEKDAY_LABELS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
const KEY_MOVES: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

type CalendarProps = {
  /** The days that can be chosen, in order. */
  days: string[]
  chosen: string
  onChoose: (day: string) => void
}

/** The nearest day that can be chosen when going `step` days at a time. */
function findNextDay(days: string[], from: string, step: number) {
  const targetDay = addDays(from, step)
  return step > 0 ? days.find((day) => day >= targetDay) : days.findLast((day) => day <= targetDay)
}

function MonthHeader({ month, days, onMonth }: { month: string; days: string[]; onMonth: (month: string) => void }) {
  const first = monthOf(days[0] ?? month)
  const last = monthOf(days.at(-1) ?? month)
  return (
    <div className="mb-2 flex items-center justify-between">
      <IconButton
        label="Mois précédent"
        icon={<ChevronLeft />}
        disabled={month <= first}
        onClick={() => onMonth(addMonths(month, -1))}
      />
      <p aria-live="polite" className="font-medium first-letter:uppercase">
        {formatCalendarMonth(month)}
      </p>
      <IconButton
        label="Mois suivant"
        icon={<ChevronRight />}
        disabled={month >= last}
        onClick={() => onMonth(addMonths(month, 1))}
      />
    </div>
  )
}

type DayProps = { day: string; free: boolean; chosen: boolean; tabbable: boolean; onChoose: (day: string) => void }

const DayButton = ({ day, free, chosen, tabbable, onChoose }: DayProps) => (
  <button
    type="button"
    data-day={day}
    disabled={!free}
    tabIndex={tabbable ? 0 : -1}
    aria-pressed={chosen}
    aria-label={formatBookingDay(day)}
    onClick={() => onChoose(day)}
    className={cx(
      'tabular mx-auto grid size-10 place-items-center rounded-full text-[0.9375rem] transition-colors duration-150',
      chosen && 'bg-primary-solid font-medium text-on-primary-solid',
      !chosen && free && 'text-ink hover:bg-primary-soft',
      !free && 'cursor-not-allowed text-ink-muted/70',
    )}
  >
    {formatDayOfMonth(day)}
  </button>
)

/** A month at a time; arrows go from one free day to the next. */
function BookingCalendar({ days, chosen, onChoose }: CalendarProps) {
  const [month, setMonth] = useState(() => monthOf(chosen || (days[0] ?? '')))
  const table = useRef<HTMLTableElement>(null)
  const free = new Set(days)
  const inMonth = days.filter((day) => monthOf(day) === month)
  const tabbable = inMonth.includes(chosen) ? chosen : inMonth[0]
  const move = (event: KeyboardEvent) => {
    const step = KEY_MOVES[event.key]
    const from = (event.target as HTMLElement).dataset.day // the keys are heard on the days alone
    const to = step && from && findNextDay(days, from, step)
    if (!to) return
    event.preventDefault()
    setMonth(monthOf(to))
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus())
  }
  return (
    <div className="mx-auto max-w-sm">
      <MonthHeader month={month} days={days} onMonth={setMonth} />
      <table ref={table} className="w-full table-fixed" aria-label={`Jours de ${formatCalendarMonth(month)}`}>
        <thead>
          <tr>
            {WEEKDAY_LABELS.map((name) => (
              <th key={name} scope="col" abbr={name} className="py-2 text-[0.8125rem] font-normal text-ink-soft">
                <span aria-hidden="true">{name.slice(0, 3)}</span>
                <span className="sr-only">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={move}>
          {listMonthWeeks(month).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((day, index) => (
                <td key={day ?? WEEKDAY_LABELS[index]} className="p-0.5">
                  {day && (
                    <DayButton
                      day={day}
                      free={free.has(day)}
                      chosen={day === chosen}
                      tabbable={day === tabbable}
                      onChoose={onChoose}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Slots = EndpointReply<typeof bookings.slots>['days']

/** The free hours, read each time the dialog opens: others book too. */
function useSlots(open: boolean) {
  const [days, setDays] = useState<Slots | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const read = useCallback(async () => {
    try {
      setDays((await call(bookings.slots, {})).days)
      setError(null)
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)))
    }
  }, [])
  useEffect(() => {
    if (open) void read()
  }, [open, read])
  return { days, error, read }
}
