import { addDays, dayOf } from '@voisol/energy/calendar'
import { useEffect } from 'react'
import { useNavigation, useSearchParams } from 'react-router'
import { buildPeriod, getTodayInParis, parsePeriod } from '../../../components/period/period.ts'
import { carryPeriod } from '../../../lib/period-context.ts'

export const TAB_PARAM = 'onglet'

/** The address of another tab, over the same period; the rest of the address belongs to the tab that wrote it. */
export function useTabLink() {
  const [search] = useSearchParams()
  return (tab: string, more: Record<string, string> = {}) =>
    carryPeriod(`?${new URLSearchParams({ [TAB_PARAM]: tab, ...more })}`, `${search}`)
}

/** Readings come in with a few days' delay: on the first days of a month the last one says more. */
export const getDefaultDay = () => addDays(getTodayInParis(), -3)

const getLastReadingDay = (receivedUntil: string | null) =>
  receivedUntil === null ? getDefaultDay() : dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)

/** Without a period in the address, the month of the last reading is written there; true once there is one. */
export function useStartingPeriod(receivedUntil: string | null | undefined): boolean {
  const [search, setSearch] = useSearchParams()
  const isWritten = parsePeriod(search.get('unit'), search.get('from'), search.get('to')) !== null
  // Whoever is on the way elsewhere is not called back: a second change of address would end the first.
  const isLeaving = useNavigation().state !== 'idle'
  useEffect(() => {
    if (isLeaving || isWritten || receivedUntil === undefined) return
    const { unit, from, to } = buildPeriod('month', getLastReadingDay(receivedUntil))
    setSearch(
      (old) => {
        const params = new URLSearchParams(old)
        for (const [name, value] of Object.entries({ unit, from, to })) params.set(name, value)
        return params
      },
      { replace: true, preventScrollReset: true },
    )
  }, [isLeaving, isWritten, receivedUntil, setSearch])
  return isWritten
}
