import { Day, Id } from '@voisol/contract/primitives'
import { useSearchParams } from 'react-router'

/** How deep one looks: all months, the points of one, the days of a point, the steps of a day. */
export type ReconciliationLocation = { month?: string; pointId?: string; day?: string }

/** In the address, beside the open tab; what does not parse is as if absent. */
export function useReconciliationLocation() {
  const [search] = useSearchParams()
  const month = Day.safeParse(search.get('mois')).data
  const pointId = month && Id.safeParse(search.get('point')).data
  const day = pointId && Day.safeParse(search.get('jour')).data
  const link = (next: ReconciliationLocation) => {
    const params = new URLSearchParams({ onglet: 'distributeur' })
    if (next.month) params.set('mois', next.month)
    if (next.pointId) params.set('point', next.pointId)
    if (next.day) params.set('jour', next.day)
    return `?${params}`
  }
  return { place: { month, pointId, day } satisfies ReconciliationLocation, link }
}
