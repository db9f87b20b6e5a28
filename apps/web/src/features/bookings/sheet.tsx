import { useQuery } from '@tanstack/react-query'
import { type Booking, type BookingStatus, bookings } from '@voisol/contract/bookings'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { Can } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDateTime, formatLongDate } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { BOOKING_STATUS_BADGES, formatVisitorName, NEXT_STATUSES } from './labels.ts'
import { MoveBooking } from './move.tsx'

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
