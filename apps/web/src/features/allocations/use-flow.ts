import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../lib/queries.ts'
import type { EnergyScope } from '../../ui/energy-explorer/use-energy.ts'
import type { FlowData } from '../../ui/flow/model.ts'

/** The server follows energy from point to point over a little more than a year. */
const MAX_FLOW_DAYS = 400

/** Who got what; a producer is told with its surplus, as what it made. */
export function useFlow(where: EnergyScope, { from, to }: { from: string; to: string }, enabled = true) {
  const tooLong = daysBetween(from, to) > MAX_FLOW_DAYS
  const result = useQuery({
    ...query(energy.flow, { query: { ...where, from, to } }),
    enabled: enabled && !tooLong,
  })
  const data = useMemo((): FlowData | undefined => {
    if (!result.data) return undefined
    const { producers, ...rest } = result.data
    return { ...rest, producers: producers.map(({ surplusWh, wh, ...node }) => ({ ...node, wh: wh + surplusWh })) }
  }, [result.data])
  return { data, error: result.error, refetch: result.refetch, tooLong }
}
