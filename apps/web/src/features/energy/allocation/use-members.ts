import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { type Point, points } from '@voisol/contract/points'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import type { EnergyScope } from '../../../components/energy-explorer/use-energy.ts'
import type { FlowData } from '../../../components/flow/flow-model.ts'
import { useCan } from '../../../lib/can.tsx'
import { formatPointName, formatPrm } from '../../../lib/energy-labels.ts'
import { query } from '../../../lib/queries.ts'

/** `seat` says both at once, where there is no room for a second line. */
export type AllocationKeyMember = { id: string; name: string; detail: string; seat: string }
export type MembersByDirection = { consumers: AllocationKeyMember[]; producers: AllocationKeyMember[] }

const MAX_LISTED_POINTS = 1000
const formatBatterySuffix = (storage: boolean, direction: Point['direction']) =>
  storage ? ` (batterie, ${direction === 'production' ? 'décharge' : 'charge'})` : ''
const toKeyMember = ({ id, label, participantName, prm: digits, direction, storage }: Point): AllocationKeyMember => ({
  id,
  name: `${label || participantName || formatPrm(digits)}${formatBatterySuffix(storage, direction)}`,
  seat: `${formatPointName({ label, participantName, prm: digits })}${formatBatterySuffix(storage, direction)}`,
  detail: [label && participantName !== label ? participantName : '', formatPrm(digits)].filter(Boolean).join(' · '),
})

/** The points a key can name, by name. */
export function useKeyMembers(operationId: string) {
  const enabled = useCan()(points.list)
  const { data, error, refetch } = useQuery({
    ...query(points.list, { query: { operationId, size: MAX_LISTED_POINTS, sort: 'label' } }),
    enabled,
  })
  const members = useMemo((): MembersByDirection | undefined => {
    if (!data) return undefined
    const of = (direction: Point['direction']) =>
      data.items
        .filter((point) => point.direction === direction)
        .map(toKeyMember)
        .sort((a, b) => a.name.localeCompare(b.name, 'fr', { numeric: true }))
    return { consumers: of('consumption'), producers: of('production') }
  }, [data])
  return { members, error, refetch }
}

/** Names by point, as people know them; empty until they are known. */
export function usePointNames(operationId: string): ReadonlyMap<string, string> {
  const { members } = useKeyMembers(operationId)
  return useMemo(
    () => new Map(members ? [...members.consumers, ...members.producers].map(({ id, seat }) => [id, seat]) : []),
    [members],
  )
}

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
