import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { tariffs } from '@voisol/contract/tariffs'
import { useEffect, useState } from 'react'
import { query } from '../../lib/queries.ts'

const PAUSE_MS = 350
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** The value once nothing was typed for a moment. */
function useCalm<T>(value: T): T {
  const [calm, setCalm] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return calm
}

type Typed = {
  operationId: string
  tariffId: string | undefined
  startsOn: string
  day: string
  rules: TariffRule[] | null
}

/** What the version would make pay as it is typed, and what stands in its way; the last answer while a figure is unreadable. */
export function useTrial({ operationId, tariffId, startsOn, day, rules }: Typed) {
  const body = JSON.stringify({ startsOn, day, rules, ...(tariffId && { tariffId }) })
  const calm = useCalm(body)
  const ready = rules !== null && isDay(startsOn) && isDay(day)
  const trial = useQuery({
    ...query(tariffs.tryOut, { params: { id: operationId }, body: JSON.parse(calm) }),
    enabled: ready && calm === body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { ...trial, ready }
}
