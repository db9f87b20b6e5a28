import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { daysSearch, shownDays } from '../../lib/context.ts'
import { type Period, type PeriodUnit, parsePeriod, periodOf, todayInParis } from './period.ts'

/** The period lives in the address: a link, a reload or « back » shows the same days. */
export function usePeriod(start: PeriodUnit = 'month', day = todayInParis()) {
  const [search, setSearch] = useSearchParams()
  const [unit, from, to] = [search.get('unit'), search.get('from'), search.get('to')]
  const written = useMemo(() => parsePeriod(unit, from, to) ?? periodOf(start, day), [unit, from, to, start, day])
  // The address follows a moment later: what was chosen shows at once, and two quick steps are two steps.
  const [ahead, setAhead] = useState<Period | null>(null)
  const [seen, setSeen] = useState(written)
  if (seen !== written) {
    setSeen(written)
    setAhead(null)
  }
  const days = daysSearch(ahead ?? written)
  useEffect(() => {
    shownDays.set(days)
    return () => shownDays.set('')
  }, [days])
  const setPeriod = (next: Period) => {
    setAhead(next)
    setSearch(
      (old) => {
        const params = new URLSearchParams(old)
        params.set('unit', next.unit)
        params.set('from', next.from)
        params.set('to', next.to)
        return params
      },
      { preventScrollReset: true },
    )
  }
  return [ahead ?? written, setPeriod] as const
}
