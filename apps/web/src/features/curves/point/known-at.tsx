import { addDays, dayStart, isDay } from '@voisol/energy/calendar'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { DateInput } from '../../../ui/date-input.tsx'
import { getTodayInParis } from '../../../ui/period/period.ts'

const KNOWN_AT_PARAM = 'connu'

/** The day on whose evening the readings are looked at, from the address; null is now. */
export function useKnownAt() {
  const [search, setSearch] = useSearchParams()
  const requestedDay = search.get(KNOWN_AT_PARAM)
  const day = requestedDay !== null && isDay(requestedDay) && requestedDay < getTodayInParis() ? requestedDay : null
  const setDay = (next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(KNOWN_AT_PARAM)
        else old.set(KNOWN_AT_PARAM, next)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  const instant = day === null ? undefined : new Date(dayStart(addDays(day, 1)) * 60_000).toISOString()
  return { day, instant, setDay }
}

export function KnownAtField({ day, setDay }: Pick<ReturnType<typeof useKnownAt>, 'day' | 'setDay'>) {
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
        <DateInput id={id} max={addDays(getTodayInParis(), -1)} value={typed} onValue={change} />
      </span>
      {day !== null && (
        <Button variant="quiet" size="small" onClick={() => change('')}>
          Revenir à aujourd’hui
        </Button>
      )}
    </div>
  )
}
