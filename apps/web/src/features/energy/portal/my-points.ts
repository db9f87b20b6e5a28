import { useQuery } from '@tanstack/react-query'
import { hasOnlyBatteries, hasPointsOnSide, type OwnSide } from '@voisol/contract/my-side'
import { type Point, points } from '@voisol/contract/points'
import { dayOf } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../../lib/queries.ts'

export { type OwnSide, type Side, selectOwnSide } from '@voisol/contract/my-side'

const MAX_LISTED_POINTS = 1000
const getLastDay = (days: string[]) => days.toSorted().at(-1) ?? null

/** The day on which one came in with what is looked at: nothing is missing before it. */
export const getEntryDay = ({ points, where }: Pick<OwnSide, 'points' | 'where'>): string | null => {
  const shown = where.pointId ? points.filter(({ id }) => id === where.pointId) : points
  const starts = shown.map(({ startsOn }) => startsOn)
  return starts.includes(null) ? null : (starts.toSorted()[0] ?? null)
}

export function buildMyPoints(all: Point[]) {
  const starts = all.flatMap(({ startsOn }) => (startsOn === null ? [] : [startsOn]))
  const known = all.flatMap(({ receivedUntil }) =>
    receivedUntil === null ? [] : [dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)],
  )
  return {
    all,
    battery: hasOnlyBatteries(all),
    consumes: hasPointsOnSide(all, 'consumption'),
    produces: hasPointsOnSide(all, 'production'),
    since: starts.toSorted()[0] ?? null,
    /** The last day of which something is known. */
    lastDay: getLastDay(known),
  }
}
export type MyPoints = ReturnType<typeof buildMyPoints>

/** The client's own points: nothing else answers to them. */
export function useMyPoints() {
  const { data, error, refetch } = useQuery(query(points.list, { query: { size: MAX_LISTED_POINTS } }))
  const mine = useMemo(() => data && buildMyPoints(data.items), [data])
  return { mine, error, refetch }
}
