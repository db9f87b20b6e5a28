import CalendarDays from 'lucide-react/icons/calendar-days'
import { type ComponentProps, Suspense, useState } from 'react'
import { formatDayInput, formatMomentInput, insertDateSlashes, parseDay, parseMoment } from '../lib/day-input.ts'
import { cx } from './cx.ts'
import { Input } from './input.tsx'
import { lazy } from './lazy.tsx'
import { Popover } from './popover.tsx'

const Calendar = lazy(async () => ({ default: (await import('./date-calendar.tsx')).DateCalendar }))

const DATE_INPUT_FORMATS = {
  day: { parse: parseDay, show: formatDayInput, example: 'jj/mm/aaaa' },
  moment: { parse: parseMoment, show: formatMomentInput, example: 'jj/mm/aaaa hh:mm' },
}

export type DateInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'min' | 'max'> & {
  /** 2026-03-01, or with `of="moment"` 2026-03-01T09:30; what is not yet one is kept as it was typed. */
  value: string
  onValue: (value: string) => void
  of?: keyof typeof DATE_INPUT_FORMATS
  min?: string
  max?: string
}

/** A day as jj/mm/aaaa in every browser: typed, pasted, or chosen in a calendar. */
export function DateInput({ value, onValue, of = 'day', min, max, onBlur, className, ...rest }: DateInputProps) {
  const { parse, show, example } = DATE_INPUT_FORMATS[of]
  const [typed, setTyped] = useState<{ text: string; value: string } | null>(null)
  // What is being typed shows as it is typed, until the value changes from elsewhere or the field is left.
  const text = typed && typed.value === value ? typed.text : show(value)
  const type = (next: string) => {
    const written = of === 'day' ? insertDateSlashes(text, next) : next
    const read = parse(written) ?? written.trim()
    setTyped({ text: written, value: read })
    onValue(read)
  }
  const day = value.slice(0, 10)
  const choose = (next: string) => {
    setTyped(null)
    onValue(of === 'day' ? next : `${next}T${value.slice(11, 16) || '09:00'}`)
  }
  return (
    <span className={cx('relative block', className)}>
      <Input
        {...rest}
        inputMode="text"
        autoComplete="off"
        placeholder={example}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={(event) => {
          setTyped(null)
          onBlur?.(event)
        }}
        className="tabular pr-10"
      />
      <Popover
        label="Calendrier"
        className="z-50 rounded-control p-3"
        align="end"
        trigger={
          <button
            type="button"
            aria-label="Ouvrir le calendrier"
            disabled={rest.disabled}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-ink-soft hover:text-ink"
          >
            <CalendarDays aria-hidden="true" className="size-4" />
          </button>
        }
      >
        {(close) => (
          <Suspense fallback={<span className="block h-72 w-64" />}>
            <Calendar
              day={day}
              min={min}
              max={max}
              onChoose={(next) => {
                choose(next)
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
    </span>
  )
}
