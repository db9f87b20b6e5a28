import { useQuery } from '@tanstack/react-query'
import { isBattery, isOnSide, type Mine } from '@voisol/contract/my-side'
import { type Point, points } from '@voisol/contract/points'
import { dayOf } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../../lib/queries.ts'

export { type Mine, mineOf, type Side } from '@voisol/contract/my-side'

const LARGEST = 1000
const last = (days: string[]) => days.toSorted().at(-1) ?? null

/** The day on which one came in with what is looked at: nothing is missing before it. */
export const entryOf = ({ points, where }: Pick<Mine, 'points' | 'where'>): string | null => {
  const shown = where.pointId ? points.filter(({ id }) => id === where.pointId) : points
  const starts = shown.map(({ startsOn }) => startsOn)
  return starts.includes(null) ? null : (starts.toSorted()[0] ?? null)
}

export function factsOf(all: Point[]) {
  const starts = all.flatMap(({ startsOn }) => (startsOn === null ? [] : [startsOn]))
  const known = all.flatMap(({ receivedUntil }) =>
    receivedUntil === null ? [] : [dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)],
  )
  return {
    all,
    battery: isBattery(all),
    consumes: isOnSide(all, 'consumption'),
    produces: isOnSide(all, 'production'),
    since: starts.toSorted()[0] ?? null,
    /** The last day of which something is known. */
    lastDay: last(known),
  }
}
export type MyPoints = ReturnType<typeof factsOf>

/** The client's own points: nothing else answers to them. */
export function useMyPoints() {
  const { data, error, refetch } = useQuery(query(points.list, { query: { size: LARGEST } }))
  const mine = useMemo(() => data && factsOf(data.items), [data])
  return { mine, error, refetch }
}
