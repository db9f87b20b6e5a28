import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { buildPeriodSearch, displayedDays } from '../../lib/context.ts'
import { buildPeriod, getTodayInParis, type Period, type PeriodUnit, parsePeriod } from './period.ts'

/** The period lives in the address: a link, a reload or « back » shows the same days. */
export function usePeriod(start: PeriodUnit = 'month', day = getTodayInParis()) {
  const [search, setSearch] = useSearchParams()
  const [unit, from, to] = [search.get('unit'), search.get('from'), search.get('to')]
  const urlPeriod = useMemo(() => parsePeriod(unit, from, to) ?? buildPeriod(start, day), [unit, from, to, start, day])
  // The address follows a moment later: what was chosen shows at once, and two quick steps are two steps.
  const [pendingPeriod, setAhead] = useState<Period | null>(null)
  const [lastUrlPeriod, setSeen] = useState(urlPeriod)
  if (lastUrlPeriod !== urlPeriod) {
    setSeen(urlPeriod)
    setAhead(null)
  }
  const days = buildPeriodSearch(pendingPeriod ?? urlPeriod)
  useEffect(() => {
    displayedDays.set(days)
    return () => displayedDays.set('')
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
  return [pendingPeriod ?? urlPeriod, setPeriod] as const
}
