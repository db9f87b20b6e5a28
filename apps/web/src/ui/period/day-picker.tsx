import { addDays, isDay } from '@voisol/energy/calendar'
import CalendarDays from 'lucide-react/icons/calendar-days'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../button.tsx'
import { DateInput } from '../date-input.tsx'
import { FieldFrame } from '../field-frame.tsx'
import { Popover } from '../popover.tsx'
import { formatPeriodTitle } from './label.ts'
import { type Period, parsePeriod } from './period.ts'

type DayPickerProps = { period: Period; onChange: (period: Period) => void; min?: string; max?: string }

/** The name of the period, which opens to another day or to the two ends of a free range. */
export const DayPicker = (props: DayPickerProps) => (
  <Popover
    label="Choisir la période"
    className="z-50 w-72 rounded-control p-4"
    trigger={
      <button
        type="button"
        className="inline-flex min-h-control min-w-0 items-center gap-2 rounded-button px-2 text-left text-body font-semibold hover:bg-ink/5"
      >
        <CalendarDays aria-hidden="true" className="size-4 text-ink-soft" />
        <span aria-live="polite">{formatPeriodTitle(props.period)}</span>
      </button>
    }
  >
    {(close) => <DayForm {...props} onDone={close} />}
  </Popover>
)

type DayFieldProps = { label: string; value: string; min?: string; max?: string; onChange: (day: string) => void }

function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label}>
      <DateInput id={id} required min={min} max={max} value={value} onValue={onChange} />
    </FieldFrame>
  )
}

function DayForm({ period, onChange, min, max, onDone }: DayPickerProps & { onDone: () => void }) {
  const [from, setFrom] = useState(period.from)
  const [last, setLast] = useState(addDays(period.to, -1))
  const range = period.unit === 'range'
  const next = parsePeriod(period.unit, from, range && isDay(last) ? addDays(last, 1) : null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!next) return
    onChange(next)
    onDone()
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <DayField label={range ? 'Du' : 'Période qui contient le'} value={from} min={min} max={max} onChange={setFrom} />
      {range && <DayField label="Au (inclus)" value={last} min={from} max={max} onChange={setLast} />}
      {!next && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {range
            ? 'Choisissez une fin qui suit le début, à trois ans au plus.'
            : 'Choisissez un jour, par exemple 15/11/2026.'}
        </p>
      )}
      <Button type="submit" size="small" disabled={!next}>
        Afficher
      </Button>
    </form>
  )
}
