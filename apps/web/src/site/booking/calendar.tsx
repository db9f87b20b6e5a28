import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, useRef, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { formatBookingDay, formatCalendarMonth, formatDayOfMonth, listMonthWeeks } from './days.ts'

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
export function BookingCalendar({ days, chosen, onChoose }: CalendarProps) {
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
