import { BookingRequest, bookings } from '@voisol/contract/bookings'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useRef, useState } from 'react'
import { ApiError, call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { randomId } from '../../lib/random-id.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Steps } from '../../ui/steps.tsx'
import { formatBookingDay } from './days.ts'
import { BookingDetails, type BookingInput } from './details.tsx'
import { buildEventLink } from './event-link.ts'
import { DateStep, TimeStep } from './steps.tsx'
import { useSlots } from './use-slots.ts'

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
