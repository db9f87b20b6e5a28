import { setImmediate } from 'node:timers/promises'
import { allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { addDays, addMonths, dayStart, listDays } from '@voisol/energy/calendar'
import { align, MISSING, type Step } from '@voisol/energy/series'
import type { Seat, Settlement } from './settlement.ts'
import type { Meter, World } from './world.ts'

export const STEP = 15
/** Watts of a point over a month: what it drew or gave, and the part of it that was shared. MISSING where unsettled. */
export type Shared = { prm: string; role: Seat['role']; total: Int32Array; local: Int32Array }
export type Month = { startsAt: number; points: Shared[]; bytes: number }

const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string | null) => (b !== null && b < a ? b : a)

/** The watts of a day by quarter hours, however the meter counts. */
function quarters(step: number, watts: Int32Array, start: number): Int32Array {
  if (step === STEP) return watts
  const energy = align({ startsAt: start, step: step as Step, watts }, STEP) // a declared step is one of these
  return energy.map((value) => (value < 0 ? MISSING : Math.round(value / STEP)))
}

function curveOf(meter: Meter | undefined, seats: Seat[], month: string, next: string, at: number): PointCurve {
  const origin = dayStart(month)
  const place = (day: string) => (dayStart(day) - origin) / STEP
  const values = new Int32Array(place(next)).fill(MISSING)
  const active: [number, number][] = []
  for (const { startsOn, endsOn } of seats) {
    const [from, to] = [later(startsOn, month), earlier(next, endsOn)]
    if (from >= to) continue
    active.push([place(from), place(to)])
    for (const day of listDays(from, to)) {
      const reading = meter?.read(day, at)
      if (reading) values.set(quarters(meter?.step ?? STEP, reading.watts, dayStart(day)), place(day))
    }
  }
  return { id: seats[0]?.id ?? '', values, active }
}

/** The seats of each point, points in the order of their ids. */
function seatsById(seats: Seat[], role: Seat['role']): Seat[][] {
  const byId = Map.groupBy(
    seats.filter((seat) => seat.role === role),
    ({ id }) => id,
  )
  return [...byId.keys()].sort().flatMap((id) => [byId.get(id) ?? []])
}

/** Shares a month in whole watts, as the distributor keeps them: what is drawn is then shared and bought, exactly. */
export async function settleMonth(world: World, settlement: Settlement, month: string, at: number): Promise<Month> {
  const next = addMonths(month, 1)
  const origin = dayStart(month)
  const place = (day: string) => (dayStart(day) - origin) / STEP
  const curves = async (groups: Seat[][], direction: Meter['direction']) => {
    const found: PointCurve[] = []
    for (const seats of groups) {
      found.push(curveOf(world.find(seats[0]?.prm ?? '', direction), seats, month, next, at))
      await setImmediate() // a meter may have to be worked out first
    }
    return found
  }
  const consuming = seatsById(settlement.seats, 'cons')
  const producing = seatsById(settlement.seats, 'prod')
  const consumers = await curves(consuming, 'consumption')
  const producers = await curves(producing, 'production')
  const keys = settlement.keys.flatMap(({ from, to, key }): KeySpan[] => {
    const [first, last] = [later(from, month), earlier(next, to)]
    return first < last ? [{ from: place(first), to: place(last), key }] : []
  })
  const { consumed, allocated, produced, shared } = allocate({ steps: place(next), consumers, producers, keys })
  const row = (totals: Int32Array[], locals: Int32Array[], curved: PointCurve[]) => (seats: Seat[], n: number) =>
    outside({ prm: seats[0]?.prm ?? '', role: seats[0]?.role ?? 'cons' }, totals[n], locals[n], curved[n])
  const points = [
    ...consuming.map(row(consumed, allocated, consumers)),
    ...producing.map(row(produced, shared, producers)),
  ]
  return { startsAt: origin, points, bytes: points.reduce((sum, { total }) => sum + total.byteLength * 2, 0) }
}

/** Nothing is told of a point while it is not in the operation. */
function outside(
  who: Pick<Shared, 'prm' | 'role'>,
  total: Int32Array = new Int32Array(0),
  local: Int32Array = new Int32Array(0),
  curve?: PointCurve,
): Shared {
  const own = { ...who, total: total.slice(), local: local.slice() }
  for (let at = 0; at < total.length; at++) {
    const inside = curve?.active.some(([from, to]) => at >= from && at < to) ?? false
    if (inside && (local[at] ?? 0) >= 0) continue
    own.total[at] = MISSING
    own.local[at] = MISSING
  }
  return own
}

export const monthEnd = (month: string) => addDays(addMonths(month, 1), -1)
