import { AnalyticsMeasure, CompareBy } from '@voisol/contract/analytics'
import { useSearchParams } from 'react-router'

export type EnergySide = 'consumption' | 'production'
export type AnalyticsFilters = {
  by: CompareBy
  side: EnergySide
  measure: AnalyticsMeasure
  operationId: string | undefined
}

const UUID = /^[0-9a-f-]{36}$/

/** What is compared, of which operation and which side: all of it in the address, so that a link shows the same. */
export function useAnalyticsFilters() {
  const [search, setSearch] = useSearchParams()
  const operation = search.get('operation') ?? ''
  const look: AnalyticsFilters = {
    by: CompareBy.catch('operations').parse(search.get('by')),
    side: search.get('side') === 'production' ? 'production' : 'consumption',
    measure: AnalyticsMeasure.catch('consumed').parse(search.get('measure')),
    operationId: UUID.test(operation) ? operation : undefined,
  }
  const change = (next: Record<string, string>) =>
    setSearch(
      (old) => {
        for (const [key, value] of Object.entries(next)) value ? old.set(key, value) : old.delete(key)
        return old
      },
      { preventScrollReset: true },
    )
  return { look, change }
}
