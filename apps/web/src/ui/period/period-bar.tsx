import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { IconButton } from '../icon-button.tsx'
import { DayPicker } from './day-picker.tsx'
import {
  buildPeriod,
  changePeriodUnit,
  containsDay,
  getTodayInParis,
  type Period,
  type PeriodUnit,
  shiftPeriod,
} from './period.ts'

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
