import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { computeAvoidedCo2Grams, computeRates } from '@voisol/energy/metrics'
import { computeMeanPrice, computeValueCents, type PricedEnergy } from '@voisol/money/amounts'
import type { Config } from '../../../config.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  type AllocationSum,
  type GroupedSums,
  loadAllocationSumsOfRuns,
  loadReadingSums,
  type ReadingSum,
} from './energy-sums.ts'
import {
  getSideIndex,
  listParticipationGroups,
  listReadableMembers,
  type Member,
  type ParticipationGroup,
  readsWholeOperations,
  SIDE_COUNT,
} from './member-scope.ts'
import {
  buildMemberPeriods,
  groupByOperation,
  listOperationIds,
  listRunsInForce,
  listRunsInForceByPeriod,
  type MemberPeriod,
  type MemberRunPeriod,
  type Period,
  type RunInForce,
  splitByRun,
} from './periods.ts'
import { readRollups, type StaleRanges } from './rollup-read.ts'

export type Co2Factors = Pick<Config, 'CO2_GRID_GRAMS' | 'CO2_SOLAR_GRAMS' | 'CO2_SOURCE'>

/** Watt-hours with three decimals: the only place where watt-minutes are divided. */
export const toWh = (wattMinutes: number) => Math.round((wattMinutes / 60) * 1000) / 1000

const NO_READINGS: ReadingSum = {
  energy: 0,
  present: 0,
  expected: 0,
  days: 0,
  holes: false,
  quality: 0,
  estimated: 0,
  seen: 0,
}
const NO_ALLOCATION: AllocationSum = { total: 0, local: 0, excluded: 0, steps: 0, given: 0 }

/** Both directions of an operation or of a member: readings, and results of the runs in force. */
export type OperationFigures = {
  operationId: string
  unitPrice: number | null
  consumes: boolean
  stores: boolean
  /** Batteries are separate: their charge and release are neither consumption nor production. */
  read: SideValues<ReadingSum>
  run: SideValues<AllocationSum>
}
type SideValues<T> = { produced: T; consumed: T; charged: T; released: T }

type PeriodData = { members: Member[]; pieces: MemberPeriod[]; held: RunInForce[] }

const indexOperations = (ids: string[]) => {
  const places = new Map(ids.map((id, at) => [id, at]))
  return (id: string) => places.get(id) ?? -1
}

const createGroupResolver = (ids: string[]) => {
  const placeOf = indexOperations(ids)
  return (member: ParticipationGroup) => placeOf(member.operationId) * SIDE_COUNT + getSideIndex(member)
}

export async function loadPeriodData(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  groupOf: (member: Member, at: number) => number,
): Promise<PeriodData> {
  const memberPeriods = buildMemberPeriods(members, period, groupOf)
  return {
    members,
    pieces: memberPeriods,
    held: await listRunsInForce(db, companyId, listOperationIds(memberPeriods), period),
  }
}

/** The groups of each operation in each period. */
export function buildMemberPeriodsByPeriod(members: ParticipationGroup[], periods: Period[]): MemberPeriod[][] {
  const ids = listOperationIds(members)
  const groupOf = createGroupResolver(ids)
  return periods.map((period, nth) =>
    buildMemberPeriods(members, period, (member) => nth * ids.length * SIDE_COUNT + groupOf(member)),
  )
}

type PeriodRuns = { held: RunInForce[]; under: MemberRunPeriod[] }

/** The runs of each period, and their results in all of them. */
export async function loadRunSumsByPeriod(
  db: Db,
  companyId: number,
  memberPeriodsByNth: MemberPeriod[][],
  periods: Period[],
): Promise<{ runs: PeriodRuns[]; run: GroupedSums<AllocationSum> }> {
  const all = await listRunsInForceByPeriod(db, companyId, listOperationIds(memberPeriodsByNth.flat()), periods)
  const runs = memberPeriodsByNth.map((pieces, nth) => {
    const ids = new Set(listOperationIds(pieces))
    const held = (all[nth] ?? []).filter(({ operationId }) => ids.has(operationId))
    return { held, under: splitByRun(pieces, held) }
  })
  const under = runs.flatMap((own) => own.under)
  return { runs, run: await loadAllocationSumsOfRuns(db, companyId, under, 'whole') }
}

const getSideValues = <T>(sums: GroupedSums<T>, group: number, none: T): SideValues<T> => {
  const side = (at: number) => sums.get(group + at)?.get('') ?? none
  return { consumed: side(0), produced: side(1), charged: side(2), released: side(3) }
}

/** For the nth period, each operation with a member of the selection. */
export function buildOperationFigures(
  members: ParticipationGroup[],
  { read, run }: { read: GroupedSums<ReadingSum>; run: GroupedSums<AllocationSum> },
  nth: number,
): OperationFigures[] {
  const groupsByOperation = [...groupByOperation(members)]
  return groupsByOperation.map(([operationId, own], at) => {
    const group = (nth * groupsByOperation.length + at) * SIDE_COUNT
    return {
      operationId,
      unitPrice: own[0]?.unitPrice ?? null,
      consumes: own.some(({ direction, storage }) => direction === 'consumption' && !storage),
      stores: own.some(({ storage }) => storage),
      read: getSideValues(read, group, NO_READINGS),
      run: getSideValues(run, group, NO_ALLOCATION),
    }
  })
}

/** The figures of whole operations over the period, from rollups. */
export async function loadRollupFigures(
  db: Db,
  companyId: number,
  participationGroups: ParticipationGroup[],
  period: Period,
  stale?: StaleRanges,
): Promise<OperationFigures[]> {
  return buildOperationFigures(
    participationGroups,
    await readRollups(
      db,
      companyId,
      participationGroups,
      [period],
      'whole',
      createPeriodGroupResolver(participationGroups),
      stale,
    ),
    0,
  )
}

/** Resolves the group of an operation's nth period. */
export const createPeriodGroupResolver = (seats: ParticipationGroup[]) => {
  const ids = listOperationIds(seats)
  const placeOf = indexOperations(ids)
  return (operationId: string, nth: number) => (nth * ids.length + placeOf(operationId)) * SIDE_COUNT
}

/** The local energy to value: what consumers received, or for producers only, what they shared. */
const getLocalWattMinutes = ({ consumes, run }: OperationFigures) =>
  consumes ? run.consumed.local : run.produced.local

/** The local energy of each operation with its price; null when one has no price, instead of a partial value. */
function listPricedEnergies(figures: OperationFigures[]): PricedEnergy[] | null {
  const parts: PricedEnergy[] = []
  for (const own of figures) {
    if (own.unitPrice === null) return null
    parts.push({ wattMinutes: getLocalWattMinutes(own), price: own.unitPrice })
  }
  return parts.length ? parts : null
}

type EnergySplit = ReturnType<typeof splitEnergy>
const sumPart = (parts: EnergySplit[], name: keyof EnergySplit) => parts.reduce((total, own) => total + own[name], 0)
const sumFigures = (figures: OperationFigures[], value: (own: OperationFigures) => number) =>
  figures.reduce((total, own) => total + value(own), 0)

/**
 * Splits metered energy into local, rest and not yet allocated. A run with estimates or outdated readings may hold more
 * than the readings: the larger value is the whole, so that the parts always add up.
 */
export function splitEnergy(energy: number, { total, local }: Pick<AllocationSum, 'total' | 'local'>) {
  const whole = Math.max(energy, total)
  return { whole, local, rest: total - local, pending: whole - total }
}

/** Battery totals are separate: included in the other sums, their energy would be counted twice. */
function computeStorageTotals(figures: OperationFigures[]): PeriodEnergyTotals['storage'] {
  const own = figures.filter(({ stores }) => stores)
  if (!own.length) return undefined
  const charge = own.map(({ read, run }) => splitEnergy(read.charged.energy, run.charged))
  const release = own.map(({ read, run }) => splitEnergy(read.released.energy, run.released))
  const given = sumFigures(figures, ({ run }) => run.produced.local + run.released.local)
  const got = sumFigures(figures, ({ run }) => run.consumed.local + run.charged.local)
  return {
    charged: toWh(sumPart(charge, 'whole')),
    stored: toWh(sumPart(charge, 'local')),
    pendingCharged: toWh(sumPart(charge, 'pending')),
    released: toWh(sumPart(release, 'whole')),
    restored: toWh(sumPart(release, 'local')),
    pendingReleased: toWh(sumPart(release, 'pending')),
    whole: given === got,
  }
}

/** Rates only compare energy covered by runs, so a day not allocated yet lowers none of them. */
export function computeEnergyTotals(figures: OperationFigures[], factors: Co2Factors): PeriodEnergyTotals {
  const injection = figures.map(({ read, run }) => splitEnergy(read.produced.energy, run.produced))
  const withdrawal = figures.map(({ read, run }) => splitEnergy(read.consumed.energy, run.consumed))
  const drawn = sumFigures(figures, ({ run }) => run.consumed.total)
  const injected = sumFigures(figures, ({ run }) => run.produced.total)
  const allocated = sumFigures(figures, ({ run }) => run.consumed.local)
  const given = sumFigures(figures, ({ run }) => run.produced.local)
  const storage = computeStorageTotals(figures)
  const priced = listPricedEnergies(figures)
  return {
    produced: toWh(sumPart(injection, 'whole')),
    shared: toWh(given),
    surplus: toWh(sumPart(injection, 'rest')),
    pendingProduced: toWh(sumPart(injection, 'pending')),
    consumed: toWh(sumPart(withdrawal, 'whole')),
    allocated: toWh(allocated),
    complement: toWh(sumPart(withdrawal, 'rest')),
    pendingConsumed: toWh(sumPart(withdrawal, 'pending')),
    selfConsumption: computeRates({ produced: injected, allocated: given, consumed: 0 }).selfConsumption,
    selfProduction: computeRates({ produced: 0, allocated, consumed: drawn }).selfProduction,
    co2Grams: computeAvoidedCo2Grams(
      toWh(sumFigures(figures, getLocalWattMinutes)),
      factors.CO2_GRID_GRAMS,
      factors.CO2_SOLAR_GRAMS,
    ),
    valueCents: priced && computeValueCents(priced),
    unitPrice: priced && computeMeanPrice(priced),
    ...(storage && { storage }),
  }
}

export const hasAnyEnergy = (figures: OperationFigures[]) =>
  figures.some(
    ({ read, run }) =>
      Object.values(read).some(({ present }) => present) || Object.values(run).some(({ total }) => total),
  )

/** The figures of one or all operations for several periods; null for a period without data. */
export async function loadEnergyTotalsByPeriod(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  operationId: string | undefined,
  periods: Period[],
): Promise<(PeriodEnergyTotals | null)[]> {
  const all = await loadFiguresByPeriod(db, actor, operationId, periods)
  return all.map((figures) => (hasAnyEnergy(figures) ? computeEnergyTotals(figures, factors) : null))
}

/** The figures of one period, even without data. */
export async function loadEnergyTotals(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  operationId: string | undefined,
  period: Period,
): Promise<PeriodEnergyTotals> {
  return computeEnergyTotals((await loadFiguresByPeriod(db, actor, operationId, [period])).flat(), factors)
}

async function loadFiguresByPeriod(db: Db, actor: Actor, operationId: string | undefined, periods: Period[]) {
  if (readsWholeOperations(actor, {}))
    return readSnapshot(db, (view) => loadRollupFiguresByPeriod(view, actor, operationId, periods))
  const members = await listReadableMembers(db, actor, { operationId })
  const periodsByNth = buildMemberPeriodsByPeriod(members, periods)
  const { run } = await loadRunSumsByPeriod(db, actor.companyId, periodsByNth, periods)
  const read = await loadReadingSums(db, actor.companyId, periodsByNth.flat(), 'whole')
  return periods.map((_, nth) => buildOperationFigures(members, { read, run }, nth))
}

async function loadRollupFiguresByPeriod(db: Db, actor: Actor, operationId: string | undefined, periods: Period[]) {
  const participationGroups = await listParticipationGroups(db, actor, { operationId })
  const rollups = await readRollups(
    db,
    actor.companyId,
    participationGroups,
    periods,
    'whole',
    createPeriodGroupResolver(participationGroups),
  )
  return periods.map((_, nth) => buildOperationFigures(participationGroups, rollups, nth))
}
