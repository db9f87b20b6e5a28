import type { Impact, ImpactMonth, ImpactSide, MemberImpact } from '@voisol/contract/effects'
import { formatDwellingName } from '@voisol/contract/points'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { formatCount, formatFrenchMonth, NBSP } from '@voisol/file-formats/french'
import type { TouchedMonth } from '../../../core/change-confirmation.ts'
import type { OperationMember } from '../../../core/operation-members.ts'
import type { Db } from '../../../db/client.ts'
import type { RouteContext } from '../../../http/route.ts'
import {
  computeCorrectionAmounts,
  findRecomputationSource,
  type RecomputationSource,
} from '../../billing/corrections/index.ts'
import {
  computeTrialRun,
  type DailyPair,
  loadRunInput,
  type RunInput,
  type TrialDay,
  type TrialResult,
} from '../../energy/allocation/index.ts'
import { listRunsInForceOfOperation, loadMemberSumsByMonth } from '../energy/index.ts'

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

type OperationMonth = { operationId: string; month: string }

/** The billing input of each invoiced month after the change; undefined for the others. */
export async function loadRebillingInputs(
  db: Db,
  companyId: number,
  months: readonly OperationMonth[],
): Promise<(RecomputationSource | undefined)[]> {
  const inputs: (RecomputationSource | undefined)[] = []
  for (const { operationId, month } of months)
    inputs.push(await findRecomputationSource(db, companyId, operationId, month.slice(0, 7)))
  return inputs
}

type NamedMember = { participantId: string; name: string; prm: string }

/** A buyer whose energy is unchanged but whose price changes also has a row. */
const toUnchangedMember = ({ participantId, name, prm }: NamedMember): MemberImpact => ({
  participantId,
  name,
  prm,
  direction: 'consumption',
  before: null,
  after: null,
})

/** Adds amounts to a month, each buyer's on its first meter. */
function addAmountsToMonth(
  month: ImpactMonth,
  amounts: ReadonlyMap<string, number>,
  others: MemberImpact[],
): ImpactMonth {
  const remainingAmounts = new Map(amounts)
  const assignAmount = (member: MemberImpact): MemberImpact => {
    const cents = member.direction === 'consumption' ? remainingAmounts.get(member.participantId) : undefined
    if (cents === undefined) return member
    remainingAmounts.delete(member.participantId)
    return { ...member, cents }
  }
  const membersWithChange = month.members.map(assignAmount)
  const otherMembers = others.map(assignAmount).filter(({ cents }) => cents !== undefined)
  const members = [...membersWithChange, ...otherMembers].sort(
    (a, b) => getLocalChange(b) - getLocalChange(a) || Math.abs(b.cents ?? 0) - Math.abs(a.cents ?? 0),
  )
  return {
    ...month,
    changed: month.changed || otherMembers.length > 0,
    members,
    unchanged: month.unchanged - otherMembers.length,
    cents: [...amounts.values()].reduce((sum, cents) => sum + cents, 0),
  }
}

/** Members whose energy is unchanged. */
const listUnchangedMembers = ({ members }: ImpactMonth, all: readonly MemberImpact[]) => {
  const getMemberKey = ({ participantId, prm, direction }: MemberImpact) => `${participantId} ${prm} ${direction}`
  const known = new Set(members.map(getMemberKey))
  return all.filter((member) => !known.has(getMemberKey(member)))
}

type RebillingData = {
  again: RecomputationSource | undefined
  pairs?: readonly DailyPair[]
  all: readonly MemberImpact[]
}

/** Adds euros to an invoiced month, computed by the same functions as its correction. */
async function addEurosToMonth(
  ctx: RouteContext,
  month: ImpactMonth,
  { again, pairs, all }: RebillingData,
): Promise<ImpactMonth> {
  const amounts = again && (await computeCorrectionAmounts(ctx, ctx.db, again, pairs))
  if (!amounts) return month
  const rest = listUnchangedMembers(month, all)
  const listedParticipantIds = new Set([...month.members, ...rest].map(({ participantId }) => participantId))
  const absentBuyers = again.now.frame.members.filter(({ buyer }) => !listedParticipantIds.has(buyer))
  const absentMembers = absentBuyers.map(({ buyer, name, prm }) =>
    toUnchangedMember({ participantId: buyer, name, prm }),
  )
  return addAmountsToMonth(month, amounts, [...rest, ...absentMembers])
}

export const NO_IMPACT: Impact = {
  retroactive: false,
  shown: null,
  summary: 'Ce changement ne touche aucun jour déjà réparti.',
  months: [],
  beyond: null,
  outdated: [],
}

const KWH_CHANGE_FORMAT = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
/** Watt-minutes with a sign: « +12,4 kWh ». */
const formatEnergyChange = (energy: number) => `${KWH_CHANGE_FORMAT.format(energy / 60_000)}${NBSP}kWh`

const formatMonthRange = (months: string[]) => {
  const [first = '', last = ''] = [months[0], months.at(-1)]
  return first === last
    ? `en ${formatFrenchMonth(first)}`
    : `de ${formatFrenchMonth(first)} à ${formatFrenchMonth(last)}`
}

function describeMemberChanges(months: ImpactMonth[]): string {
  const gainByParticipant = new Map<string, number>()
  for (const { members } of months)
    for (const { participantId, direction, before, after } of members)
      if (direction === 'consumption')
        gainByParticipant.set(
          participantId,
          (gainByParticipant.get(participantId) ?? 0) + (after?.local ?? 0) - (before?.local ?? 0),
        )
  const values = [...gainByParticipant.values()]
  const more = values.filter((value) => value > 0).length
  const less = values.filter((value) => value < 0).length
  if (!more && !less) return 'la part locale de chacun reste la même'
  const words = [
    more > 0 && `${formatCount(more, 'membre reçoit', 'membres reçoivent')} plus d’énergie locale`,
    less > 0 && `${formatCount(less, 'membre en reçoit', 'membres en reçoivent')} moins`,
  ]
  return words.filter(Boolean).join(', ')
}

const describeSurplusChange = (months: ImpactMonth[]) => {
  const change = months.reduce((sum, { before, after }) => sum + after.surplus - before.surplus, 0)
  return change === 0 ? 'le surplus ne change pas' : `le surplus change de ${formatEnergyChange(change)}`
}

const EURO_CHANGE_FORMAT = new Intl.NumberFormat('fr-FR', {
  style: 'currency',
  currency: 'EUR',
  signDisplay: 'exceptZero',
})

/** For invoiced months: what a correction will bill or give back. */
function describeAmounts(months: ImpactMonth[]): string {
  const billed = months.filter(({ cents }) => cents !== undefined)
  const amounts = billed.flatMap(({ members }) => members.flatMap(({ cents }) => cents ?? []))
  if (!amounts.length) return ''
  const sum = billed.reduce((all, { cents }) => all + (cents ?? 0), 0)
  const [count, what] = [
    formatCount(billed.length, 'mois facturé', 'mois facturés'),
    formatCount(amounts.length, 'montant', 'montants'),
  ]
  return ` ${count}${NBSP}: ${what} à régulariser, ${EURO_CHANGE_FORMAT.format(sum / 100)} TTC au total.`
}

const describeOutdatedRuns = (count: number) =>
  count > 0
    ? ` ${formatCount(count, 'calcul définitif devient', 'calculs définitifs deviennent')} à rectifier${NBSP}: ce qui en a été tiré sera à revoir.`
    : ''

const describeStaleRuns = (months: ImpactMonth[]) =>
  months.some(({ stale }) => stale)
    ? ' Des calculs de ces mois étaient déjà à refaire\u00a0: leur écart comprend ce qui avait changé avant.'
    : ''

const describeMonthsNotComputed = (beyond: Impact['beyond']) =>
  beyond
    ? ` ${formatCount(beyond.months, 'mois plus ancien est aussi touché', 'mois plus anciens sont aussi touchés')}, ${formatMonthRange([beyond.from, addMonths(beyond.to, -1)])}, sans être calculé ici.`
    : ''

/** Describes the effect of a change in plain words. */
export function buildImpactSummary(months: ImpactMonth[], outdated: number, beyond: Impact['beyond']): string {
  const touchedMonths = months.map(({ month }) => month).sort()
  const changed = months.filter((month) => month.changed)
  const count = formatCount(touchedMonths.length, 'mois déjà réparti', 'mois déjà répartis')
  const head = `Ce changement touche ${count}, ${formatMonthRange(touchedMonths)}`
  const what = changed.length
    ? `${NBSP}: ${describeMemberChanges(changed)}, et ${describeSurplusChange(changed)}.`
    : `${NBSP}: aucun chiffre ne change.`
  return `${head}${what}${describeAmounts(months)}${describeOutdatedRuns(outdated)}${describeStaleRuns(months)}${describeMonthsNotComputed(beyond)}`
}
