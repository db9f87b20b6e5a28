import { CompareBy, Measure } from '@voisol/contract/analytics'
import { useSearchParams } from 'react-router'

export type Side = 'consumption' | 'production'
export type Look = { by: CompareBy; side: Side; measure: Measure; operationId: string | undefined }

const UUID = /^[0-9a-f-]{36}$/

/** What is compared, of which operation and which side: all of it in the address, so that a link shows the same. */
export function useLook() {
  const [search, setSearch] = useSearchParams()
  const operation = search.get('operation') ?? ''
  const look: Look = {
    by: CompareBy.catch('operations').parse(search.get('by')),
    side: search.get('side') === 'production' ? 'production' : 'consumption',
    measure: Measure.catch('consumed').parse(search.get('measure')),
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
