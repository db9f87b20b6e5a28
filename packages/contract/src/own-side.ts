import type { Point } from './points.ts'

export type Side = 'consumption' | 'production'

/** What of the client's own is looked at: the points of one side. */
export type OwnSide = {
  side: Side
  /** Nothing but batteries: what they charge and release is told as such. */
  battery: boolean
  points: Point[]
  /** Narrows what is asked for to that side, where one id can say it. */
  where: { pointId?: string }
  /** Whether amounts of the answer are of this side alone. */
  valued: boolean
}

/** A battery is told of beside what one draws and makes; whoever has nothing else looks at it itself. */
const excludeBatteries = (all: Point[]) => {
  const others = all.filter(({ storage }) => !storage)
  return others.length > 0 ? others : all
}

export const hasOnlyBatteries = (all: Point[]) => all.length > 0 && all.every(({ storage }) => storage)

export const hasPointsOnSide = (all: Point[], side: Side) =>
  excludeBatteries(all).some(({ direction }) => direction === side)

export function selectOwnSide(every: Point[], side: Side, chosen?: string | null): OwnSide {
  const all = excludeBatteries(every)
  const own = all.filter(({ direction }) => direction === side)
  const point = own.find(({ id }) => id === chosen) ?? (own.length === 1 ? own[0] : undefined)
  const only = own.length === all.length
  return {
    side,
    battery: hasOnlyBatteries(all),
    points: own,
    where: point && !(only && own.length === 1) ? { pointId: point.id } : {},
    valued: only || point !== undefined,
  }
}

/** What is told first: what one draws, and what one makes where one draws nothing. */
export const selectDefaultSide = (all: Point[]) =>
  selectOwnSide(all, hasPointsOnSide(all, 'consumption') ? 'consumption' : 'production')
