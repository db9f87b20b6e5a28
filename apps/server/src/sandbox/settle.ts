import { setImmediate } from 'node:timers/promises'
import { addDays, addMonths, dayStart, listDays } from '@voisol/energy/calendar'
import type { OperationSettlement, SettledParticipation } from './settlement.ts'
import { type SimulatedKey, shareStep } from './share-step.ts'
import type { MeterRegistry, SimulatedMeter } from './world.ts'

export const SETTLEMENT_STEP_MINUTES = 15
const MISSING = -1
/** A point outside of its dates: unknown, without counting as missing. */
const NOT_PARTICIPATING = -2
/** Watts of a point over a month: consumed or injected, and the shared part. MISSING where unsettled. */
export type SharedPoint = { prm: string; role: SettledParticipation['role']; total: Int32Array; local: Int32Array }
export type SettledMonth = { startsAt: number; points: SharedPoint[]; bytes: number }

const getLaterDay = (a: string, b: string) => (a > b ? a : b)
const getEarlierDay = (a: string, b: string | null) => (b !== null && b < a ? b : a)

/** The watts of a day by quarter hours, for any meter step: means, MISSING where a part is missing. */
function toQuarterHours(step: number, watts: Int32Array): Int32Array {
  if (step === SETTLEMENT_STEP_MINUTES) return watts
  if (step > SETTLEMENT_STEP_MINUTES)
    return Int32Array.from(
      { length: (watts.length * step) / SETTLEMENT_STEP_MINUTES },
      (_, at) => watts[Math.floor((at * SETTLEMENT_STEP_MINUTES) / step)] ?? MISSING,
    )
  const grain = Math.min(step, 5)
  const fine = Int32Array.from(
    { length: (watts.length * step) / grain },
    (_, at) => watts[Math.floor((at * grain) / step)] ?? MISSING,
  )
  const parts = SETTLEMENT_STEP_MINUTES / grain
  return Int32Array.from({ length: Math.floor(fine.length / parts) }, (_, at) => {
    const own = fine.subarray(at * parts, (at + 1) * parts)
    return own.includes(MISSING) ? MISSING : Math.round(own.reduce((sum, value) => sum + value, 0) / parts)
  })
}

function buildCurve(
  meter: SimulatedMeter | undefined,
  seats: SettledParticipation[],
  month: string,
  at: number,
): Int32Array {
  const next = addMonths(month, 1)
  const place = (day: string) => (dayStart(day) - dayStart(month)) / SETTLEMENT_STEP_MINUTES
  const values = new Int32Array(place(next)).fill(NOT_PARTICIPATING)
  for (const { startsOn, endsOn } of seats) {
    const [from, to] = [getLaterDay(startsOn, month), getEarlierDay(next, endsOn)]
    if (from >= to) continue
    values.fill(MISSING, place(from), place(to))
    for (const day of listDays(from, to)) {
      const reading = meter?.read(day, at)
      if (reading) values.set(toQuarterHours(meter?.step ?? SETTLEMENT_STEP_MINUTES, reading.watts), place(day))
    }
  }
  return values
}

type Side = { prm: string; total: Int32Array; local: Int32Array }

/** The points of a side by number, since the distributor knows nothing else of them. */
async function buildSide(
  world: MeterRegistry,
  { seats }: OperationSettlement,
  role: SettledParticipation['role'],
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
    const total = buildCurve(meter, own.get(prm) ?? [], month, at)
    found.push({ prm, total, local: new Int32Array(total.length).fill(MISSING) })
    await setImmediate() // computing a meter may take long
  }
  return found
}

/** A step is settled if every present consumer and some producer are known, and a key is in force. */
function settleStep(consumers: Side[], producers: Side[], key: SimulatedKey | undefined, at: number): void {
  const wattsOf = ({ total }: Side) => total[at] ?? NOT_PARTICIPATING
  const there = producers.filter((one) => wattsOf(one) !== NOT_PARTICIPATING)
  const unknown = there.length > 0 && there.every((one) => wattsOf(one) === MISSING)
  if (!key || unknown || consumers.some((one) => wattsOf(one) === MISSING)) return
  const known = (one: Side) => Math.max(0, wattsOf(one))
  const { given, shared } = shareStep(producers.map(known), consumers.map(known), key)
  for (const [n, one] of consumers.entries()) if (wattsOf(one) >= 0) one.local[at] = given[n] ?? 0
  for (const [n, one] of producers.entries()) if (wattsOf(one) >= 0) one.local[at] = shared[n] ?? 0
}

/**
 * Allocates a month in whole watts, as the distributor stores them: consumption is exactly the allocated and the
 * remaining part.
 */
export async function settleMonth(
  world: MeterRegistry,
  settlement: OperationSettlement,
  month: string,
  at: number,
): Promise<SettledMonth> {
  const next = addMonths(month, 1)
  const place = (day: string) => (dayStart(day) - dayStart(month)) / SETTLEMENT_STEP_MINUTES
  const consumers = await buildSide(world, settlement, 'cons', month, at)
  const producers = await buildSide(world, settlement, 'prod', month, at)
  const prms = (side: Side[]) => side.map(({ prm }) => prm)
  for (const { from, to, key } of settlement.keys) {
    const [first, last] = [getLaterDay(from, month), getEarlierDay(next, to)]
    const held = key(prms(consumers), prms(producers))
    for (let step = place(first); first < last && step < place(last); step++)
      settleStep(consumers, producers, held, step)
  }
  const written = (role: SettledParticipation['role']) => (one: Side) => toSharedPoint(role, one)
  const points = [...consumers.map(written('cons')), ...producers.map(written('prod'))]
  return { startsAt: dayStart(month), points, bytes: points.reduce((sum, { total }) => sum + total.byteLength * 2, 0) }
}

/** An unsettled step has no values. */
const toSharedPoint = (role: SettledParticipation['role'], { prm, total, local }: Side): SharedPoint => ({
  prm,
  role,
  local,
  total: total.map((watts, at) => ((local[at] ?? MISSING) < 0 ? MISSING : watts)),
})

export const getMonthEnd = (month: string) => addDays(addMonths(month, 1), -1)
