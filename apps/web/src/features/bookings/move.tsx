import { useQuery } from '@tanstack/react-query'
import { type Booking, bookings, Time } from '@voisol/contract/bookings'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { formatShortWeekday } from './week.ts'

/** Another day or hour among those still free; the visitor is told by mail. */
export const MoveBooking = withAccess(bookings.move, ({ booking }: { booking: Booking }) => {
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
