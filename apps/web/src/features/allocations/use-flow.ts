import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../lib/queries.ts'
import type { Where } from '../../ui/energy-explorer/use-energy.ts'
import type { FlowData } from '../../ui/flow/model.ts'

/** The server follows energy from point to point over a little more than a year. */
const MOST_DAYS = 400

/** Who got what; a producer is told with its surplus, as what it made. */
export function useFlow(where: Where, { from, to }: { from: string; to: string }, wanted = true) {
  const tooLong = daysBetween(from, to) > MOST_DAYS
  const result = useQuery({
    ...query(energy.flow, { query: { ...where, from, to } }),
    enabled: wanted && !tooLong,
  })
  const data = useMemo((): FlowData | undefined => {
    if (!result.data) return undefined
    const { producers, ...rest } = result.data
    return { ...rest, producers: producers.map(({ surplusWh, wh, ...node }) => ({ ...node, wh: wh + surplusWh })) }
  }, [result.data])
  return { data, error: result.error, refetch: result.refetch, tooLong }
}
