import type { EffectMember, EffectMonth, EffectSide } from '@voisol/contract/effects'
import { seatName } from '@voisol/contract/points'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import type { Member } from '../../../core/members.ts'
import type { TouchedMonth } from '../../../core/touched.ts'
import type { Db } from '../../../db/client.ts'
import type { Context } from '../../../http/route.ts'
import { loadInput, type RunInput, type Tried, type TriedDay, tryRun } from '../../energy/allocations/allocations.ts'
import type { Again } from '../../money/corrections/corrections.ts'
import { seatsByMonth, standingRuns } from '../energy/energy.ts'
import { inEuros } from './euros.ts'

type Held = Awaited<ReturnType<typeof standingRuns>>[number]
type Standing = { operationId: string; month: string; held: Held[] }
/** A month as it stands, and what each stretch of its days would be computed from. */
export type Planned = Standing & { name: string; inputs: RunInput[]; again?: Again | undefined }
export type Computed = Tried[]

/** The runs that stand on the days of each month. */
export async function standingOf(
  db: Db,
  companyId: number,
  months: Pick<TouchedMonth, 'operationId' | 'month'>[],
): Promise<Standing[]> {
  const all: Standing[] = []
  for (const { operationId, month } of months) {
    const held = await standingRuns(db, companyId, operationId, { from: month, to: addMonths(month, 1) })
    all.push({ operationId, month, held })
  }
  return all
}

/** With the change made: what the same days would be computed from, as those who computed them chose to. */
export async function inputsOf(db: Db, companyId: number, standing: Standing[]): Promise<Planned[]> {
  const planned: Planned[] = []
  for (const one of standing) {
    const inputs: RunInput[] = []
    for (const { from, to, estimated, estimateBy } of one.held)
      inputs.push(await loadInput(db, { companyId, operationId: one.operationId, from, to, estimated, estimateBy }))
    planned.push({ ...one, inputs, name: inputs[0]?.name ?? '' })
  }
  return planned
}

export async function tryMonths(ctx: Context, planned: Planned[]): Promise<Computed> {
  const computed: Computed = []
  for (const { inputs, again } of planned) {
    const tried: Tried = { days: [], pairs: [] }
    for (const input of inputs) {
      const { days, pairs } = await tryRun(ctx, ctx.db, input, again !== undefined)
      tried.days.push(...days)
      tried.pairs.push(...pairs)
    }
    computed.push(tried)
  }
  return computed
}

/** Somebody with a point: they are known by the meter, since a point that is only tried has no lasting id. */
type Seat = Omit<EffectMember, 'before' | 'after'>
type Seats = Map<string, { seat: Seat; side: EffectSide; storage: boolean }>
const keyOf = ({ participantId, prm, direction }: Seat) => `${participantId} ${prm} ${direction}`

const seatOf = (seat: Seat, storage: boolean): Seat => ({ ...seat, ...(storage && { storage }) })
const nobody = (): EffectSide => ({ total: 0, local: 0, missing: 0 })

/** What the runs that stand say: the same figures as everywhere else. */
async function seatsBefore({ db, actor }: Context, { operationId, month }: Planned): Promise<Seats> {
  const period = { from: month, to: addMonths(month, 1) }
  const rows = await seatsByMonth(db, actor.companyId, operationId, period)
  return new Map(
    rows.map(({ member, sum }) => {
      const { participantId, participantName, prm, direction, label, storage } = member
      const seat = seatOf({ participantId, name: seatName(label, participantName), prm, direction }, storage)
      return [keyOf(seat), { seat, storage, side: { total: sum.total, local: sum.local, missing: sum.excluded } }]
    }),
  )
}

const holds = ({ startsOn, endsOn }: Member, day: string) => startsOn <= day && (endsOn === null || endsOn > day)

/** What would be said of them: each day goes to whoever holds the point on it. */
function seatsAfter({ inputs }: Planned, days: TriedDay[]): Seats {
  const byPoint = Map.groupBy(
    inputs.flatMap(({ members }) => members),
    ({ pointId }) => pointId,
  )
  const seats: Seats = new Map()
  for (const { pointId, day, total, local, excluded } of days) {
    const member = byPoint.get(pointId)?.find((own) => holds(own, day))
    if (!member) continue
    const { holderId: participantId, holder, prm, direction, label, storage } = member
    const seat = seatOf({ participantId, name: seatName(label, holder), prm, direction }, storage)
    const known = seats.get(keyOf(seat)) ?? { seat, storage, side: nobody() }
    known.side.total += total
    known.side.local += local
    known.side.missing += excluded
    seats.set(keyOf(seat), known)
  }
  return seats
}

/** A battery produces nothing and is nobody's need: what passes through it is in its own rows. */
function wholeOf(seats: Seats): EffectMonth['before'] {
  const whole = { produced: 0, allocated: 0, surplus: 0, missing: 0 }
  for (const { seat, side, storage } of seats.values()) {
    whole.missing += side.missing
    if (storage) continue
    if (seat.direction === 'consumption') whole.allocated += side.local
    else {
      whole.produced += side.total
      whole.surplus += side.total - side.local
    }
  }
  return whole
}

const differs = (a: EffectSide | null, b: EffectSide | null) =>
  a === null || b === null ? a !== b : a.total !== b.total || a.local !== b.local || a.missing !== b.missing

/** Those who gain or lose most come first. */
const weight = ({ before, after }: EffectMember) => Math.abs((after?.local ?? 0) - (before?.local ?? 0))

const bothSides = (before: Seats, after: Seats): EffectMember[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, will] = [before.get(key), after.get(key)]
    const seat = will?.seat ?? was?.seat
    return seat ? [{ ...seat, before: was?.side ?? null, after: will?.side ?? null }] : []
  })

function monthEffect(planned: Planned, held: Held[], before: Seats, after: Seats): EffectMonth {
  const all = bothSides(before, after)
  const members = all.filter((one) => differs(one.before, one.after))
  const { operationId, name: operationName, month } = planned
  return {
    operationId,
    operationName,
    month: monthOf(month),
    days: held.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0),
    definitive: held.some(({ definitive }) => definitive),
    stale: held.some(({ stale }) => stale),
    changed: members.length > 0,
    before: wholeOf(before),
    after: wholeOf(after),
    members: members.sort((a, b) => weight(b) - weight(a) || a.name.localeCompare(b.name, 'fr')),
    unchanged: all.length - members.length,
  }
}

/** The latest month first. */
export async function monthEffects(ctx: Context, planned: Planned[], computed: Computed): Promise<EffectMonth[]> {
  const months: EffectMonth[] = []
  // Read again: within the trial what stands was marked by it.
  const standing = await standingOf(ctx.db, ctx.actor.companyId, planned)
  for (const [at, one] of planned.entries()) {
    const before = await seatsBefore(ctx, one)
    const { days, pairs } = computed[at] ?? { days: [], pairs: [] }
    const after = seatsAfter(one, days)
    const month = monthEffect(one, standing[at]?.held ?? [], before, after)
    months.push(await inEuros(ctx, month, { again: one.again, pairs, all: bothSides(before, after) }))
  }
  return months.reverse()
}

/** The same where only prices change: everybody's energy stays, and is shown beside the amounts. */
export async function priceEffects(ctx: Context, planned: (Standing & { name: string; again: Again })[]) {
  const months: EffectMonth[] = []
  for (const { again, ...one } of planned) {
    const before = await seatsBefore(ctx, { ...one, inputs: [] })
    const month = monthEffect({ ...one, inputs: [] }, one.held, before, before)
    months.push(await inEuros(ctx, month, { again, all: bothSides(before, before) }))
  }
  return months.reverse()
}
