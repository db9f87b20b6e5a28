import { setImmediate } from 'node:timers/promises'
import { addMonths, dayStart, listDays } from '@voisol/energy/calendar'
import type { OperationPlan } from './demo/blueprint.ts'
import { type DemoMeterSource, getLateEntry, getLateKeyChange } from './demo-meters.ts'
import type { MeterRegistry, SimulatedMeter } from './meter-registry.ts'
import type { SimulatedAgreement } from './simulator-state.ts'

export type SettledParticipation = { prm: string; role: 'cons' | 'prod'; startsOn: string; endsOn: string | null }
/** An operation as recorded by the distributor: members with their dates, and the keys applied. */
export type OperationSettlement = {
  acc: string
  name: string
  startsOn: string
  endsOn: string | null
  seats: SettledParticipation[]
  keys: { from: string; to: string | null; key: SimulatedKeyBuilder }[]
}

/** A key for the points in the distributor's order at that time. */
type SimulatedKeyBuilder = (consumers: string[], producers: string[]) => SimulatedKey

type KeyPlan = OperationPlan['keys'][number]

/** The plan uses its own names for points; the distributor uses their numbers. */
function createKeyBuilder({ method, shares }: KeyPlan, prmOf: Map<string, string>): SimulatedKeyBuilder {
  const named = new Map(shares.map((share) => [prmOf.get(share.ref), share]))
  if (method === 'static' || method === 'redistributed')
    return (consumers) => ({ method, shares: consumers.map((prm) => named.get(prm)?.share ?? 0) })
  if (method === 'priority')
    return (consumers) => ({ method, ranks: consumers.map((prm) => named.get(prm)?.rank ?? LAST_RANK) })
  if (method === 'default' || method === 'equal') return () => ({ method })
  const cells = new Map(
    shares.map(({ ref, producer = '', share = 0 }) => [`${prmOf.get(producer)} ${prmOf.get(ref)}`, share]),
  )
  return (consumers, producers) => ({
    method: 'complete',
    shares: producers.map((from) => consumers.map((to) => cells.get(`${from} ${to}`) ?? 0)),
  })
}
const LAST_RANK = 1_000_000_000

function buildDemoParticipations({ lines, meters, values }: OperationPlan, anchor: string): SettledParticipation[] {
  const refs = new Map(meters.map(({ prm, ref }) => [prm, ref]))
  const late = getLateEntry(anchor)
  return lines.map(({ prm, direction, startsOn, endsOn }) => {
    const ref = refs.get(prm) ?? ''
    const role = direction === 'production' ? ('prod' as const) : ('cons' as const)
    const own = startsOn ?? values.startsOn ?? anchor
    const moved = late.operation === values.id && late.ref === ref && late.from === own
    return { prm, role, startsOn: moved ? late.to : own, endsOn: endsOn ?? null }
  })
}

function buildDemoSettlement(plan: OperationPlan, anchor: string): OperationSettlement {
  const { values } = plan
  const late = getLateKeyChange(anchor)
  const prmOf = new Map(plan.meters.map(({ ref, prm }) => [ref, prm]))
  const started = plan.keys.map((key) => ({
    key: createKeyBuilder(key, prmOf),
    from: late.operation === values.id && late.from === key.startsOn ? late.to : key.startsOn,
  }))
  return {
    acc: values.accNumber ?? '',
    name: values.name,
    startsOn: values.startsOn ?? anchor,
    endsOn: null,
    seats: buildDemoParticipations(plan, anchor),
    keys: started.map(({ key, from }, at) => ({ key, from, to: started[at + 1]?.from ?? null })),
  }
}

const toSettlement = ({ points, key, ...rest }: SimulatedAgreement): OperationSettlement => ({
  ...rest,
  seats: points,
  keys: [{ from: rest.startsOn, to: rest.endsOn, key: () => ({ method: key }) }],
})

export const buildSettlements = (
  agreements: SimulatedAgreement[],
  demo: DemoMeterSource | undefined,
): OperationSettlement[] => [
  ...(demo?.plans ?? []).map((plan) => buildDemoSettlement(plan, demo?.anchor ?? '')),
  ...agreements.map(toSettlement),
]

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
  const getKnownWatts = (one: Side) => Math.max(0, wattsOf(one))
  const { given, shared } = shareStep(producers.map(getKnownWatts), consumers.map(getKnownWatts), key)
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
  const writePoint = (role: SettledParticipation['role']) => (one: Side) => toSharedPoint(role, one)
  const points = [...consumers.map(writePoint('cons')), ...producers.map(writePoint('prod'))]
  return { startsAt: dayStart(month), points, bytes: points.reduce((sum, { total }) => sum + total.byteLength * 2, 0) }
}

/** An unsettled step has no values. */
const toSharedPoint = (role: SettledParticipation['role'], { prm, total, local }: Side): SharedPoint => ({
  prm,
  role,
  local,
  total: total.map((watts, at) => ((local[at] ?? MISSING) < 0 ? MISSING : watts)),
})

/**
 * The allocation rules for one step, written plainly in integers. The simulator has its own implementation, so that it
 * is an independent check. Consumers and producers are sorted by number.
 */
export type SimulatedKey =
  | { method: 'default' }
  | { method: 'equal' }
  | { method: 'static' | 'redistributed'; shares: number[] }
  | { method: 'priority'; ranks: number[] }
  /** By producer, then by consumer. */
  | { method: 'complete'; shares: number[][] }

const MILLION = 1_000_000
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

function divideExactly(value: number, by: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is too large to be shared exactly`)
  return (value - (value % by)) / by
}

/**
 * `total` by weight × numerator / denominator: what is left goes to the largest remainders, the first of equals served
 * first.
 */
function divideByWeight(weights: number[], numerator: number, denominator: number, total: number): number[] {
  const parts = weights.map((weight) => divideExactly(weight * numerator, denominator))
  const order = weights
    .map((weight, at) => ({ at, left: (weight * numerator) % denominator }))
    .sort((a, b) => b.left - a.left || a.at - b.at)
  for (const { at } of order.slice(0, total - sum(parts))) parts[at] = (parts[at] ?? 0) + 1
  return parts
}

function shareByNeed(consumed: number[], pot: number): number[] {
  const wanted = sum(consumed)
  return pot >= wanted ? [...consumed] : divideByWeight(consumed, pot, wanted, pot)
}

/** Shares by weight up to each need; what is left is shared again. */
function shareByWeight(consumed: number[], weights: number[], pot: number): number[] {
  const given = consumed.map(() => 0)
  let open = [...consumed.keys()].filter((at) => (weights[at] ?? 0) > 0)
  let left = pot
  while (open.length) {
    const whole = sum(open.map((at) => weights[at] ?? 0))
    const [level, all] = [left, open]
    const isSated = (at: number) => (consumed[at] ?? 0) * whole <= (weights[at] ?? 0) * level
    open = all.filter((at) => !isSated(at))
    if (open.length === all.length) {
      const own = open.map((at) => weights[at] ?? 0)
      for (const [n, part] of divideByWeight(own, left, whole, left).entries()) given[open[n] ?? 0] = part
      break
    }
    for (const at of all.filter(isSated)) {
      given[at] = consumed[at] ?? 0
      left -= consumed[at] ?? 0
    }
  }
  return given
}

function shareByRank(consumed: number[], ranks: number[], pot: number): number[] {
  const given = consumed.map(() => 0)
  let left = pot
  for (const rank of [...new Set(consumed.map((_, at) => ranks[at] ?? LAST_RANK))].sort((a, b) => a - b)) {
    const group = [...consumed.keys()].filter((at) => (ranks[at] ?? LAST_RANK) === rank)
    const parts = shareByNeed(
      group.map((at) => consumed[at] ?? 0),
      left,
    )
    for (const [n, at] of group.entries()) given[at] = parts[n] ?? 0
    left -= sum(parts)
  }
  return given
}

/** Each producer's own coefficients, cut back where a consumer would get more than its need. */
function shareByProducer(produced: number[], consumed: number[], shares: number[][]): number[][] {
  const given = produced.map((own, from) => {
    const row = consumed.map((_, at) => shares[from]?.[at] ?? 0)
    return divideByWeight(row, own, MILLION, divideExactly(sum(row) * own, MILLION))
  })
  for (const [at, most] of consumed.entries()) {
    const column = given.map((row) => row[at] ?? 0)
    if (sum(column) <= most) continue
    for (const [from, part] of divideByWeight(column, most, sum(column), most).entries()) {
      const row = given[from]
      if (row) row[at] = part
    }
  }
  return given
}

function shareByKey(consumed: number[], key: Exclude<SimulatedKey, { method: 'complete' }>, pot: number): number[] {
  if (key.method === 'default') return shareByNeed(consumed, pot)
  if (key.method === 'priority') return shareByRank(consumed, key.ranks, pot)
  if (key.method === 'equal')
    return shareByWeight(
      consumed,
      consumed.map(() => 1),
      pot,
    )
  const total = divideExactly(sum(key.shares) * pot, MILLION)
  if (key.method === 'redistributed') return shareByWeight(consumed, key.shares, total)
  return divideByWeight(key.shares, pot, MILLION, total).map((part, at) => Math.min(part, consumed[at] ?? 0))
}

/** What each consumer gets, and what each producer gave. */
export function shareStep(
  produced: number[],
  consumed: number[],
  key: SimulatedKey,
): { given: number[]; shared: number[] } {
  if (key.method === 'complete') {
    const cells = shareByProducer(produced, consumed, key.shares)
    return { given: consumed.map((_, at) => sum(cells.map((row) => row[at] ?? 0))), shared: cells.map(sum) }
  }
  const pot = sum(produced)
  // Half of the year is night.
  if (pot === 0) return { given: consumed.map(() => 0), shared: produced.map(() => 0) }
  const given = shareByKey(consumed, key, pot)
  const handed = sum(given)
  return { given, shared: divideByWeight(produced, handed, pot, handed) }
}

/** Time classes of the grid, by Paris time: winter from November to March, night from 22 h to 6 h. */
export const GRID_CLASSES = ['HPH', 'HCH', 'HPB', 'HCB'] as const

const DAY = 1440
const HOUR = 60

/** 01:00 UTC on the last Sunday of a month, in epoch minutes. */
function lastSunday(year: number, month: number): number {
  const end = new Date(Date.UTC(year, month + 1, 0))
  return end.getTime() / 60_000 - end.getUTCDay() * DAY + HOUR
}

/** The index of the time class of a minute. */
export function getGridClassIndex(minute: number): number {
  const year = new Date(minute * 60_000).getUTCFullYear()
  const isSummer = minute >= lastSunday(year, 2) && minute < lastSunday(year, 9)
  const local = new Date((minute + (isSummer ? 2 : 1) * HOUR) * 60_000)
  const isWinter = local.getUTCMonth() >= 10 || local.getUTCMonth() <= 2
  const isNight = local.getUTCHours() >= 22 || local.getUTCHours() < 6
  return (isWinter ? 0 : 2) + (isNight ? 1 : 0)
}
