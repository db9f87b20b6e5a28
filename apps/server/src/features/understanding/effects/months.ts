import type { ImpactMonth, ImpactSide, MemberImpact } from '@voisol/contract/effects'
import { formatDwellingName } from '@voisol/contract/points'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import type { OperationMember } from '../../../core/members.ts'
import type { TouchedMonth } from '../../../core/touched.ts'
import type { Db } from '../../../db/client.ts'
import type { RouteContext } from '../../../http/route.ts'
import {
  computeTrialRun,
  loadRunInput,
  type RunInput,
  type TrialDay,
  type TrialResult,
} from '../../energy/allocations/allocations.ts'
import type { RecomputationSource } from '../../money/corrections/corrections.ts'
import { listRunsInForceOfOperation, loadMemberSumsByMonth } from '../energy/energy.ts'
import { addEurosToMonth } from './euros.ts'

type RunInForce = Awaited<ReturnType<typeof listRunsInForceOfOperation>>[number]
type MonthRuns = { operationId: string; month: string; held: RunInForce[] }
/** A month with its current runs, and the input each period of its days would be computed from. */
export type PlannedMonth = MonthRuns & { name: string; inputs: RunInput[]; again?: RecomputationSource | undefined }
export type ComputedMonths = TrialResult[]

/** The runs in force on the days of each month. */
export async function loadRunsInForceByMonth(
  db: Db,
  companyId: number,
  months: Pick<TouchedMonth, 'operationId' | 'month'>[],
): Promise<MonthRuns[]> {
  const all: MonthRuns[] = []
  for (const { operationId, month } of months) {
    const runs = await listRunsInForceOfOperation(db, companyId, operationId, { from: month, to: addMonths(month, 1) })
    all.push({ operationId, month, held: runs })
  }
  return all
}

/** After the change: the input of the same days, with the same estimate options as their runs. */
export async function loadPlannedMonths(db: Db, companyId: number, standing: MonthRuns[]): Promise<PlannedMonth[]> {
  const planned: PlannedMonth[] = []
  for (const one of standing) {
    const inputs: RunInput[] = []
    for (const { from, to, estimated, estimateBy } of one.held)
      inputs.push(await loadRunInput(db, { companyId, operationId: one.operationId, from, to, estimated, estimateBy }))
    planned.push({ ...one, inputs, name: inputs[0]?.name ?? '' })
  }
  return planned
}

export async function computePlannedMonths(ctx: RouteContext, planned: PlannedMonth[]): Promise<ComputedMonths> {
  const computed: ComputedMonths = []
  for (const { inputs, again } of planned) {
    const computedMonth: TrialResult = { days: [], pairs: [] }
    for (const input of inputs) {
      const { days, pairs } = await computeTrialRun(ctx, ctx.db, input, again !== undefined)
      computedMonth.days.push(...days)
      computedMonth.pairs.push(...pairs)
    }
    computed.push(computedMonth)
  }
  return computed
}

/** A member identified by its PRM, since a point created in the trial has no lasting id. */
type ImpactMember = Omit<MemberImpact, 'before' | 'after'>
type ImpactMemberSides = Map<string, { seat: ImpactMember; side: ImpactSide; storage: boolean }>
const getMemberKey = ({ participantId, prm, direction }: ImpactMember) => `${participantId} ${prm} ${direction}`

const toImpactMember = (member: ImpactMember, storage: boolean): ImpactMember => ({
  ...member,
  ...(storage && { storage }),
})
const createEmptySide = (): ImpactSide => ({ total: 0, local: 0, missing: 0 })

/** The figures of the runs in force, as on other screens. */
async function loadSidesBefore(
  { db, actor }: RouteContext,
  { operationId, month }: PlannedMonth,
): Promise<ImpactMemberSides> {
  const period = { from: month, to: addMonths(month, 1) }
  const rows = await loadMemberSumsByMonth(db, actor.companyId, operationId, period)
  return new Map(
    rows.map(({ member, sum }) => {
      const { participantId, participantName, prm, direction, label, storage } = member
      const impactMember = toImpactMember(
        { participantId, name: formatDwellingName(label, participantName), prm, direction },
        storage,
      )
      return [
        getMemberKey(impactMember),
        { seat: impactMember, storage, side: { total: sum.total, local: sum.local, missing: sum.excluded } },
      ]
    }),
  )
}

const isParticipatingOn = ({ startsOn, endsOn }: OperationMember, day: string) =>
  startsOn <= day && (endsOn === null || endsOn > day)

/** The figures after the change: each day goes to the holder of the point on it. */
function computeSidesAfter({ inputs }: PlannedMonth, days: TrialDay[]): ImpactMemberSides {
  const byPoint = Map.groupBy(
    inputs.flatMap(({ members }) => members),
    ({ pointId }) => pointId,
  )
  const sidesByMember: ImpactMemberSides = new Map()
  for (const { pointId, day, total, local, excluded } of days) {
    const member = byPoint.get(pointId)?.find((own) => isParticipatingOn(own, day))
    if (!member) continue
    const { holderId: participantId, holder, prm, direction, label, storage } = member
    const impactMember = toImpactMember(
      { participantId, name: formatDwellingName(label, holder), prm, direction },
      storage,
    )
    const known = sidesByMember.get(getMemberKey(impactMember)) ?? {
      seat: impactMember,
      storage,
      side: createEmptySide(),
    }
    known.side.total += total
    known.side.local += local
    known.side.missing += excluded
    sidesByMember.set(getMemberKey(impactMember), known)
  }
  return sidesByMember
}

/** Batteries neither produce nor consume: their energy is in their own rows. */
function sumOperationSides(sidesByMember: ImpactMemberSides): ImpactMonth['before'] {
  const totals = { produced: 0, allocated: 0, surplus: 0, missing: 0 }
  for (const { seat, side, storage } of sidesByMember.values()) {
    totals.missing += side.missing
    if (storage) continue
    if (seat.direction === 'consumption') totals.allocated += side.local
    else {
      totals.produced += side.total
      totals.surplus += side.total - side.local
    }
  }
  return totals
}

const isSideDifferent = (a: ImpactSide | null, b: ImpactSide | null) =>
  a === null || b === null ? a !== b : a.total !== b.total || a.local !== b.local || a.missing !== b.missing

/** Sorts by the largest gain or loss. */
const getLocalChange = ({ before, after }: MemberImpact) => Math.abs((after?.local ?? 0) - (before?.local ?? 0))

const mergeSides = (before: ImpactMemberSides, after: ImpactMemberSides): MemberImpact[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, will] = [before.get(key), after.get(key)]
    const seat = will?.seat ?? was?.seat
    return seat ? [{ ...seat, before: was?.side ?? null, after: will?.side ?? null }] : []
  })

function buildMonthImpact(
  planned: PlannedMonth,
  runs: RunInForce[],
  before: ImpactMemberSides,
  after: ImpactMemberSides,
): ImpactMonth {
  const all = mergeSides(before, after)
  const members = all.filter((one) => isSideDifferent(one.before, one.after))
  const { operationId, name: operationName, month } = planned
  return {
    operationId,
    operationName,
    month: monthOf(month),
    days: runs.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0),
    definitive: runs.some(({ definitive }) => definitive),
    stale: runs.some(({ stale }) => stale),
    changed: members.length > 0,
    before: sumOperationSides(before),
    after: sumOperationSides(after),
    members: members.sort((a, b) => getLocalChange(b) - getLocalChange(a) || a.name.localeCompare(b.name, 'fr')),
    unchanged: all.length - members.length,
  }
}

/** Latest month first. */
export async function loadMonthImpacts(
  ctx: RouteContext,
  planned: PlannedMonth[],
  computed: ComputedMonths,
): Promise<ImpactMonth[]> {
  const months: ImpactMonth[] = []
  // Read again from outside, since the trial marked these runs as outdated.
  const runsByMonth = await loadRunsInForceByMonth(ctx.db, ctx.actor.companyId, planned)
  for (const [at, one] of planned.entries()) {
    const before = await loadSidesBefore(ctx, one)
    const { days, pairs } = computed[at] ?? { days: [], pairs: [] }
    const after = computeSidesAfter(one, days)
    const month = buildMonthImpact(one, runsByMonth[at]?.held ?? [], before, after)
    months.push(await addEurosToMonth(ctx, month, { again: one.again, pairs, all: mergeSides(before, after) }))
  }
  return months.reverse()
}

/** The same when only prices change: energy is unchanged, and shown beside the amounts. */
export async function loadPriceImpacts(
  ctx: RouteContext,
  planned: (MonthRuns & { name: string; again: RecomputationSource })[],
) {
  const months: ImpactMonth[] = []
  for (const { again, ...one } of planned) {
    const before = await loadSidesBefore(ctx, { ...one, inputs: [] })
    const month = buildMonthImpact({ ...one, inputs: [] }, one.held, before, before)
    months.push(await addEurosToMonth(ctx, month, { again, all: mergeSides(before, before) }))
  }
  return months.reverse()
}
