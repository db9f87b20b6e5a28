import { addDays, addMonths, dayStart, isDay, localTime, monthOf } from '@voisol/energy/calendar'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatLongDate, formatMonth as monthName } from '../lib/format.ts'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { getTodayInParis } from './period/period.ts'

const WEEKDAY_LABELS = ['lu', 'ma', 'me', 'je', 've', 'sa', 'di']
const toNoon = (day: string) => `${day}T12:00:00Z`
const getWeekday = (day: string) => localTime(dayStart(day)).weekday

/** The weeks, Monday first, that hold a month. */
function listWeeks(month: string): string[][] {
  const first = addDays(month, 1 - getWeekday(month))
  const weeks = [0, 1, 2, 3, 4, 5].map((week) => [0, 1, 2, 3, 4, 5, 6].map((at) => addDays(first, week * 7 + at)))
  return weeks.filter(([monday = '', , , , , , sunday = '']) => monthOf(monday) === month || monthOf(sunday) === month)
}

const KEY_MOVES: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, 1 - getWeekday(day)),
  End: (day) => addDays(day, 7 - getWeekday(day)),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
}

type CalendarProps = { day: string; min?: string; max?: string; onChoose: (day: string) => void }

/** A month of days; arrows walk through them, Page up and down through months. */
export function DateCalendar({ day, min = '', max = '9999', onChoose }: CalendarProps) {
  const [at, setAt] = useState(isDay(day) ? day : getTodayInParis())
  const grid = useRef<HTMLTableElement>(null)
  useEffect(() => {
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
  }, [at])
  const walk = (event: KeyboardEvent) => {
    const move = KEY_MOVES[event.key]
    if (!move) return
    event.preventDefault()
    setAt(move(at))
  }
  const month = monthOf(at)
  return (
    <div className="w-64">
      <div className="mb-2 flex items-center justify-between">
        <IconButton
          label="Mois précédent"
          icon={<ChevronLeft aria-hidden="true" />}
          onClick={() => setAt(addMonths(at, -1))}
        />
        <p aria-live="polite" className="text-body font-semibold first-letter:uppercase">
          {monthName(toNoon(month))}
        </p>
        <IconButton
          label="Mois suivant"
          icon={<ChevronRight aria-hidden="true" />}
          onClick={() => setAt(addMonths(at, 1))}
        />
      </div>
      <table ref={grid} onKeyDown={walk} className="w-full border-collapse text-center text-[0.8125rem]">
        <thead>
          <tr>
            {WEEKDAY_LABELS.map((name) => (
              <th key={name} scope="col" className="pb-1 font-normal text-ink-soft">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listWeeks(month).map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one} className="p-0">
                  <button
                    type="button"
                    data-day={one}
                    tabIndex={one === at ? 0 : -1}
                    aria-label={formatLongDate(toNoon(one))}
                    aria-pressed={one === day}
                    disabled={one < min || one > max}
                    onClick={() => onChoose(one)}
                    className={cx(
                      'tabular size-9 rounded-control hover:bg-ink/5 disabled:text-ink-muted disabled:hover:bg-transparent',
                      monthOf(one) !== month && 'text-ink-soft',
                      one === day && 'bg-primary-solid font-semibold text-on-primary-solid hover:bg-primary-solid',
                    )}
                  >
                    {Number(one.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
