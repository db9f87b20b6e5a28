import { useQuery } from '@tanstack/react-query'
import { type Point, points } from '@voisol/contract/points'
import { dayOf } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { query } from '../../../lib/queries.ts'

export type Side = 'consumption' | 'production'

/** What of the client's own is looked at: the points of one side. */
export type Mine = {
  side: Side
  /** Nothing but batteries: what they charge and release is told as such. */
  battery: boolean
  points: Point[]
  /** Narrows what is asked for to that side, where one id can say it. */
  where: { pointId?: string }
  /** Whether amounts of the answer are of this side alone. */
  valued: boolean
}

const LARGEST = 1000
const last = (days: string[]) => days.toSorted().at(-1) ?? null

/** A battery is told of beside what one draws and makes; whoever has nothing else looks at it itself. */
const withoutBattery = (all: Point[]) => {
  const others = all.filter(({ storage }) => !storage)
  return others.length > 0 ? others : all
}

const isBattery = (all: Point[]) => all.length > 0 && all.every(({ storage }) => storage)

export function mineOf(every: Point[], side: Side, chosen?: string | null): Mine {
  const all = withoutBattery(every)
  const own = all.filter(({ direction }) => direction === side)
  const point = own.find(({ id }) => id === chosen) ?? (own.length === 1 ? own[0] : undefined)
  const only = own.length === all.length
  return {
    side,
    battery: isBattery(all),
    points: own,
    where: point && !(only && own.length === 1) ? { pointId: point.id } : {},
    valued: only || point !== undefined,
  }
}

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
    consumes: withoutBattery(all).some(({ direction }) => direction === 'consumption'),
    produces: withoutBattery(all).some(({ direction }) => direction === 'production'),
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
