import { addDays, dayStart, isDay } from '@voisol/energy/calendar'
import { useId } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
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
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="text-body">
        Tel que connu le
      </label>
      <span className="w-40">
        <Input
          id={id}
          type="date"
          max={addDays(todayInParis(), -1)}
          value={day ?? ''}
          onChange={(event) => setDay(event.target.value || null)}
        />
      </span>
      {day !== null && (
        <Button variant="quiet" size="small" onClick={() => setDay(null)}>
          Revenir à aujourd’hui
        </Button>
      )}
    </div>
  )
}
