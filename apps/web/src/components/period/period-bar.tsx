import { addDays, isDay } from '@voisol/energy/calendar'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { DateInput } from '../date-input.tsx'
import { IconButton } from '../icon-button.tsx'
import { FieldFrame } from '../input.tsx'
import { Popover } from '../popover.tsx'
import {
  buildPeriod,
  changePeriodUnit,
  containsDay,
  getTodayInParis,
  type Period,
  type PeriodUnit,
  parsePeriod,
  shiftPeriod,
} from './period.ts'
import { formatPeriodTitle } from './period-labels.ts'

const PERIOD_UNIT_OPTIONS: { value: PeriodUnit; label: string }[] = [
  { value: 'day', label: 'Jour' },
  { value: 'week', label: 'Semaine' },
  { value: 'month', label: 'Mois' },
  { value: 'year', label: 'Année' },
  { value: 'range', label: 'Libre' },
]

const ALL_PERIOD_UNITS = PERIOD_UNIT_OPTIONS.map(({ value }) => value)

const unitClass = cx(
  'inline-flex min-h-8 grow items-center justify-center rounded-[calc(var(--radius-control)-3px)] px-3 text-[0.8125rem] font-medium text-ink-soft sm:grow-0',
  'transition-colors duration-150 hover:text-ink has-checked:bg-card has-checked:text-ink has-checked:shadow-sm has-checked:ring-1 has-checked:ring-line-strong',
  'has-focus-visible:outline-2 has-focus-visible:outline-ring',
)

type UnitChoiceProps = { unit: PeriodUnit; units: readonly PeriodUnit[]; onChange: (unit: PeriodUnit) => void }

function UnitSelect({ unit, units, onChange }: UnitChoiceProps) {
  const name = useId()
  return (
    <fieldset className="flex w-full rounded-control bg-slate-100 p-0.5 sm:w-auto">
      <legend className="sr-only">Durée affichée</legend>
      {PERIOD_UNIT_OPTIONS.filter(({ value }) => units.includes(value)).map(({ value, label }) => (
        <label key={value} className={unitClass}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={unit === value}
            onChange={() => onChange(value)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

type PeriodBarProps = {
  period: Period
  onChange: (period: Period) => void
  /** First and last day that can hold something, both included. */
  min?: string
  max?: string
  today?: string
  /** Where not every length makes sense. */
  units?: readonly PeriodUnit[]
  /** At the end of the bar: the unit of measure, the comparison… */
  children?: ReactNode
}

/** Day, week, month, year or free range; arrows left and right go through time from any of its buttons. */
export function PeriodBar(props: PeriodBarProps) {
  const { period, onChange, min, max, today = getTodayInParis(), units = ALL_PERIOD_UNITS, children } = props
  const before = min === undefined || period.from > min
  const after = max === undefined || period.to <= max
  const move = (count: -1 | 1) => (count < 0 ? before : after) && onChange(shiftPeriod(period, count))
  const onKeyDown = (event: KeyboardEvent) => {
    const count = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (count === 0 || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    move(count)
  }
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <UnitSelect
        unit={period.unit}
        units={units}
        onChange={(unit) => onChange(changePeriodUnit(period, unit, today))}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: buttons that belong together, not the fields of a form */}
      <div
        role="group"
        aria-label="Période affichée"
        onKeyDown={onKeyDown}
        className="flex w-full min-w-0 flex-wrap items-center gap-1 sm:w-auto"
      >
        <IconButton label="Période précédente" icon={<ChevronLeft />} disabled={!before} onClick={() => move(-1)} />
        <DayPicker period={period} onChange={onChange} min={min} max={max} />
        <IconButton label="Période suivante" icon={<ChevronRight />} disabled={!after} onClick={() => move(1)} />
        <Button
          variant="secondary"
          size="small"
          // A telephone has no room for what cannot be pressed: the month stands on one line.
          className="ml-auto max-sm:disabled:hidden sm:ml-1"
          disabled={period.unit !== 'range' && containsDay(period, today)}
          onClick={() => onChange(buildPeriod(period.unit === 'range' ? 'day' : period.unit, today))}
        >
          Aujourd’hui
        </Button>
      </div>
      {children && <div className="flex flex-wrap items-center gap-2 lg:ml-auto">{children}</div>}
    </div>
  )
}

type DayPickerProps = { period: Period; onChange: (period: Period) => void; min?: string; max?: string }

/** The name of the period, which opens to another day or to the two ends of a free range. */
const DayPicker = (props: DayPickerProps) => (
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
