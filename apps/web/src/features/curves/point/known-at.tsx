import { addDays, dayStart, isDay } from '@voisol/energy/calendar'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { DateInput } from '../../../ui/date-input.tsx'
import { todayInParis } from '../../../ui/period/period.ts'

const KEY = 'connu'

/** The day on whose evening the readings are looked at, from the address; null is now. */
export function useKnownAt() {
  const [search, setSearch] = useSearchParams()
  const asked = search.get(KEY)
  const day = asked !== null && isDay(asked) && asked < todayInParis() ? asked : null
  const setDay = (next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(KEY)
        else old.set(KEY, next)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  const instant = day === null ? undefined : new Date(dayStart(addDays(day, 1)) * 60_000).toISOString()
  return { day, instant, setDay }
}

export function KnownAt({ day, setDay }: Pick<ReturnType<typeof useKnownAt>, 'day' | 'setDay'>) {
  const id = useId()
  const [typed, setTyped] = useState(day ?? '')
  // A day half typed is nobody's business yet: the address keeps the last whole one.
  const change = (next: string) => {
    setTyped(next)
    if (next === '' || isDay(next)) setDay(next || null)
  }
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="text-body">
        Tel que connu le
      </label>
      <span className="w-40">
        <DateInput id={id} max={addDays(todayInParis(), -1)} value={typed} onValue={change} />
      </span>
      {day !== null && (
        <Button variant="quiet" size="small" onClick={() => change('')}>
          Revenir à aujourd’hui
        </Button>
      )}
    </div>
  )
}
