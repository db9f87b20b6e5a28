import { useQuery } from '@tanstack/react-query'
import { type Point, points } from '@voisol/contract/points'
import { useMemo } from 'react'
import { useCan } from '../../lib/can.tsx'
import { prm } from '../../lib/energy-labels.ts'
import { pointName } from '../../lib/point-name.ts'
import { query } from '../../lib/queries.ts'

/** `seat` says both at once, where there is no room for a second line. */
export type Member = { id: string; name: string; detail: string; seat: string }
export type Members = { consumers: Member[]; producers: Member[] }

const MOST = 1000
const batteryPart = (storage: boolean, direction: Point['direction']) =>
  storage ? ` (batterie, ${direction === 'production' ? 'décharge' : 'charge'})` : ''
const memberOf = ({ id, label, participantName, prm: digits, direction, storage }: Point): Member => ({
  id,
  name: `${label || participantName || prm(digits)}${batteryPart(storage, direction)}`,
  seat: `${pointName({ label, participantName, prm: digits })}${batteryPart(storage, direction)}`,
  detail: [label && participantName !== label ? participantName : '', prm(digits)].filter(Boolean).join(' · '),
})

/** The points a key can name, by name. */
export function useMembers(operationId: string) {
  const enabled = useCan()(points.list)
  const { data, error, refetch } = useQuery({
    ...query(points.list, { query: { operationId, size: MOST, sort: 'label' } }),
    enabled,
  })
  const members = useMemo((): Members | undefined => {
    if (!data) return undefined
    const of = (direction: Point['direction']) =>
      data.items
        .filter((point) => point.direction === direction)
        .map(memberOf)
        .sort((a, b) => a.name.localeCompare(b.name, 'fr', { numeric: true }))
    return { consumers: of('consumption'), producers: of('production') }
  }, [data])
  return { members, error, refetch }
}

/** Names by point, as people know them; empty until they are known. */
export function useNames(operationId: string): ReadonlyMap<string, string> {
  const { members } = useMembers(operationId)
  return useMemo(
    () => new Map(members ? [...members.consumers, ...members.producers].map(({ id, seat }) => [id, seat]) : []),
    [members],
  )
}
