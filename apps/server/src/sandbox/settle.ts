import { setImmediate } from 'node:timers/promises'
import { addDays, addMonths, dayStart, listDays } from '@voisol/energy/calendar'
import type { Seat, Settlement } from './settlement.ts'
import { type BookKey, shareStep } from './share-step.ts'
import type { Meter, World } from './world.ts'

export const STEP = 15
const MISSING = -1
/** Nothing is known of a point outside of its dates, and nothing is missing. */
const AWAY = -2
/** Watts of a point over a month: what it drew or gave, and the part of it that was shared. MISSING where unsettled. */
export type Shared = { prm: string; role: Seat['role']; total: Int32Array; local: Int32Array }
export type Month = { startsAt: number; points: Shared[]; bytes: number }

const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string | null) => (b !== null && b < a ? b : a)

/** The watts of a day by quarter hours, however the meter counts: the mean of each, or nothing where a part is missing. */
function quarters(step: number, watts: Int32Array): Int32Array {
  if (step === STEP) return watts
  if (step > STEP)
    return Int32Array.from(
      { length: (watts.length * step) / STEP },
      (_, at) => watts[Math.floor((at * STEP) / step)] ?? MISSING,
    )
  const grain = Math.min(step, 5)
  const fine = Int32Array.from(
    { length: (watts.length * step) / grain },
    (_, at) => watts[Math.floor((at * grain) / step)] ?? MISSING,
  )
  const parts = STEP / grain
  return Int32Array.from({ length: Math.floor(fine.length / parts) }, (_, at) => {
    const own = fine.subarray(at * parts, (at + 1) * parts)
    return own.includes(MISSING) ? MISSING : Math.round(own.reduce((sum, value) => sum + value, 0) / parts)
  })
}

function curveOf(meter: Meter | undefined, seats: Seat[], month: string, at: number): Int32Array {
  const next = addMonths(month, 1)
  const place = (day: string) => (dayStart(day) - dayStart(month)) / STEP
  const values = new Int32Array(place(next)).fill(AWAY)
  for (const { startsOn, endsOn } of seats) {
    const [from, to] = [later(startsOn, month), earlier(next, endsOn)]
    if (from >= to) continue
    values.fill(MISSING, place(from), place(to))
    for (const day of listDays(from, to)) {
      const reading = meter?.read(day, at)
      if (reading) values.set(quarters(meter?.step ?? STEP, reading.watts), place(day))
    }
  }
  return values
}

type Side = { prm: string; total: Int32Array; local: Int32Array }

/** The points of a side in the order of their numbers, which is all that the distributor knows of them. */
async function sideOf(
  world: World,
  { seats }: Settlement,
  role: Seat['role'],
  month: string,
  at: number,
): Promise<Side[]> {
  const own = Map.groupBy(
    seats.filter((seat) => seat.role === role),
    ({ prm }) => prm,
  )
  const found: Side[] = []
  for (const prm of [...own.keys()].sort()) {
    const meter = world.find(prm, role === 'cons' ? 'consumption' : 'production')
    const total = curveOf(meter, own.get(prm) ?? [], month, at)
    found.push({ prm, total, local: new Int32Array(total.length).fill(MISSING) })
    await setImmediate() // a meter may have to be worked out first
  }
  return found
}

/** A step is settled where every consumer that is there is known, some producer is, and a key is in force. */
function settleStep(consumers: Side[], producers: Side[], key: BookKey | undefined, at: number): void {
  const wattsOf = ({ total }: Side) => total[at] ?? AWAY
  const there = producers.filter((one) => wattsOf(one) !== AWAY)
  const unknown = there.length > 0 && there.every((one) => wattsOf(one) === MISSING)
  if (!key || unknown || consumers.some((one) => wattsOf(one) === MISSING)) return
  const known = (one: Side) => Math.max(0, wattsOf(one))
  const { given, shared } = shareStep(producers.map(known), consumers.map(known), key)
  for (const [n, one] of consumers.entries()) if (wattsOf(one) >= 0) one.local[at] = given[n] ?? 0
  for (const [n, one] of producers.entries()) if (wattsOf(one) >= 0) one.local[at] = shared[n] ?? 0
}

/** Shares a month in whole watts, as the distributor keeps them: what is drawn is then shared and bought, exactly. */
export async function settleMonth(world: World, settlement: Settlement, month: string, at: number): Promise<Month> {
  const next = addMonths(month, 1)
  const place = (day: string) => (dayStart(day) - dayStart(month)) / STEP
  const consumers = await sideOf(world, settlement, 'cons', month, at)
  const producers = await sideOf(world, settlement, 'prod', month, at)
  const prms = (side: Side[]) => side.map(({ prm }) => prm)
  for (const { from, to, key } of settlement.keys) {
    const [first, last] = [later(from, month), earlier(next, to)]
    const held = key(prms(consumers), prms(producers))
    for (let step = place(first); first < last && step < place(last); step++)
      settleStep(consumers, producers, held, step)
  }
  const written = (role: Seat['role']) => (one: Side) => told(role, one)
  const points = [...consumers.map(written('cons')), ...producers.map(written('prod'))]
  return { startsAt: dayStart(month), points, bytes: points.reduce((sum, { total }) => sum + total.byteLength * 2, 0) }
}

/** Nothing is told of a step that is not settled. */
const told = (role: Seat['role'], { prm, total, local }: Side): Shared => ({
  prm,
  role,
  local,
  total: total.map((watts, at) => ((local[at] ?? MISSING) < 0 ? MISSING : watts)),
})

export const monthEnd = (month: string) => addDays(addMonths(month, 1), -1)
