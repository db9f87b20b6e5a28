import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { tariffs } from '@voisol/contract/tariffs'
import { useEffect, useState } from 'react'
import { query } from '../../lib/queries.ts'

const PAUSE_MS = 350
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** The value once nothing was typed for a moment. */
function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

type PricePreviewInput = {
  operationId: string
  tariffId: string | undefined
  startsOn: string
  day: string
  rules: TariffRule[] | null
}

/** What the version would make pay as it is typed, and what stands in its way; the last answer while a figure is unreadable. */
export function usePricePreview({ operationId, tariffId, startsOn, day, rules }: PricePreviewInput) {
  const body = JSON.stringify({ startsOn, day, rules, ...(tariffId && { tariffId }) })
  const debouncedBody = useDebounced(body)
  const ready = rules !== null && isDay(startsOn) && isDay(day)
  const preview = useQuery({
    ...query(tariffs.tryOut, { params: { id: operationId }, body: JSON.parse(debouncedBody) }),
    enabled: ready && debouncedBody === body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return { ...preview, ready }
}
