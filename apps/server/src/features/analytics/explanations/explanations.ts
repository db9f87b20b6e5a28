import { formatDwellingName } from '@voisol/contract/points'
import type { EnergyExplanation, WhyReadings, WhyShare } from '@voisol/contract/why'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { computeRates } from '@voisol/energy/metrics'
import { computeOfferedEnergy } from '@voisol/energy/offered-energy'
import type { z } from 'zod'
import type { EffectiveKey } from '../../../core/allocation-keys.ts'
import { loadPortalDisplay } from '../../../core/company-state.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { type ExplainedDays, findAllocationRun, loadExplainedDays } from '../../energy/allocation/index.ts'
import {
  getPersonId,
  listComparableMembers,
  listReadableMembers,
  listRunsInForce,
  loadEnergySummary,
  loadMemberSumsByMonth,
  type Member,
  type MemberMonthSum,
  MIN_ANONYMOUS_PEOPLE,
  type Period,
  requirePeriod,
  toWh,
} from '../energy/index.ts'

type SummaryFactors = Parameters<typeof loadEnergySummary>[2]
type ExplainMonthQuery = { operationId: string; participantId: string; month: string }
type RunInForce = Awaited<ReturnType<typeof listRunsInForce>>[number]

/** The past days of the month. */
function getElapsedPeriod({ month }: ExplainMonthQuery): Period {
  const from = monthOf(month)
  const next = addMonths(from, 1)
  const to = next < getToday() ? next : getToday()
  if (from >= to) throw fieldError('month', 'Ce mois n’a pas encore de jour révolu.')
  return requirePeriod({ from, to })
}

/** Days with at least one of the member's points, as ranges. */
function buildPresence(members: Member[], { from, to }: Period): EnergyExplanation['presence'] {
  const dateRanges: Period[] = []
  const clippedRanges = members
    .map(({ startsOn, endsOn }) => ({
      from: startsOn > from ? startsOn : from,
      to: endsOn !== null && endsOn < to ? endsOn : to,
    }))
    .filter((dateRange) => dateRange.from < dateRange.to)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
  for (const dateRange of clippedRanges) {
    const last = dateRanges.at(-1)
    if (last && dateRange.from <= last.to) last.to = dateRange.to > last.to ? dateRange.to : last.to
    else dateRanges.push(dateRange)
  }
  const days = dateRanges.reduce((sum, dateRange) => sum + daysBetween(dateRange.from, dateRange.to), 0)
  return { days, of: daysBetween(from, to), spans: dateRanges }
}

/** The steps of each of the member's consumption points, counted from the start of the period. */
function listActiveSteps(members: Member[], { from, to }: Period, toStep: (day: string) => number) {
  const active = new Map<string, [number, number][]>()
  for (const { pointId, direction, startsOn, endsOn } of members) {
    const lo = startsOn > from ? startsOn : from
    const hi = endsOn !== null && endsOn < to ? endsOn : to
    if (direction !== 'consumption' || lo >= hi) continue
    active.set(pointId, [...(active.get(pointId) ?? []), [toStep(lo), toStep(hi)]])
  }
  return active
}

function toKeyLine({ version, from, to }: EffectiveKey, points: Set<string>): EnergyExplanation['keys'][number] {
  const { number, method, label, shares } = version
  const keyShares = shares.filter(({ pointId, producerId }) => points.has(pointId) && producerId === null)
  const ownShares = keyShares.filter(({ share }) => share !== null)
  const ranks = keyShares.flatMap(({ rank }) => (rank === null ? [] : [rank]))
  const share = ownShares.length ? ownShares.reduce((sum, one) => sum + (one.share ?? 0), 0) : null
  return { number, method, label, from, to, share, rank: ranks.length ? Math.min(...ranks) : null }
}

type ExplainedRun = { held: RunInForce; explained: ExplainedDays }

async function loadExplainedRuns(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
): Promise<ExplainedRun[]> {
  const explainedRuns: ExplainedRun[] = []
  for (const runInForce of await listRunsInForce(db, companyId, [operationId], period)) {
    const run = await findAllocationRun(db, companyId, runInForce.runId)
    const explained = run && (await loadExplainedDays(db, run, { from: runInForce.from, to: runInForce.to }))
    if (explained) explainedRuns.push({ held: runInForce, explained })
  }
  return explainedRuns
}

/** Explains a member's figure of a month: the same figure as elsewhere, and how it was computed. */
export async function explainMemberMonth(
  db: Db,
  actor: Actor,
  factors: SummaryFactors,
  query: ExplainMonthQuery,
): Promise<EnergyExplanation> {
  const { operationId, participantId } = query
  const period = getElapsedPeriod(query)
  const members = await listReadableMembers(db, actor, { operationId, participantId })
  const [first] = members
  if (!first) throw new AppError('not-found')
  const { current } = await loadEnergySummary(db, actor, factors, { ...period, operationId, participantId })
  const compared = actor.space === 'office' || (await loadPortalDisplay(db, actor.companyId)).comparison
  return readSnapshot(db, async (view) => {
    const neighboursQuery = { ...period, companyId: actor.companyId, operationId, participantId }
    const explainedRuns = await loadExplainedRuns(view, actor.companyId, operationId, period)
    return {
      operationId,
      operationName: first.operationName,
      participantId,
      name: formatDwellingName(
        [...new Set(members.map(({ label }) => label))].filter(Boolean).join(', '),
        first.participantName,
      ),
      month: monthOf(period.from),
      ...period,
      prms: [...new Set(members.map(({ prm }) => prm))],
      presence: buildPresence(members, period),
      totals: current,
      runs: explainedRuns.map(({ held: { runId: id, from, to, definitive, stale, estimated } }) => ({
        id,
        from,
        to,
        definitive,
        stale,
        estimated,
      })),
      keys: buildKeyLines(explainedRuns, members),
      ...buildShareAndReadings(explainedRuns, members),
      neighbours: compared ? await loadMedianNeighbours(view, neighboursQuery) : null,
    }
  })
}

/** A version that continues from one run to the next is one row. */
function buildKeyLines(explainedRuns: ExplainedRun[], members: Member[]): EnergyExplanation['keys'] {
  const points = new Set(members.map(({ pointId }) => pointId))
  const keys: EnergyExplanation['keys'] = []
  for (const held of explainedRuns.flatMap(({ explained }) => explained.keys)) {
    const key = toKeyLine(held, points)
    const last = keys.at(-1)
    if (last && last.number === key.number && last.to === key.from) last.to = key.to
    else keys.push(key)
  }
  return keys
}

function buildShareAndReadings(
  explainedRuns: ExplainedRun[],
  members: Member[],
): Pick<EnergyExplanation, 'share' | 'readings'> {
  const sums = createShareSums()
  const readings = createReadingLevels()
  let consumes = false
  for (const { held, explained } of explainedRuns) {
    const active = listActiveSteps(members, held, explained.place)
    if (!active.size) continue
    consumes = true
    addShareSums(sums, explained, active)
    addReadingLevels(readings, explained, active)
  }
  return consumes ? { share: toWhyShare(sums), readings } : { share: null, readings: null }
}

/** Watt-minutes and minutes, over periods that may have several runs. */
type ShareSums = {
  drawn: number
  sunlit: number
  produced: number
  offered: number | null
  used: number
  unused: number
  producing: number
  surplus: number
  short: number
}

const createShareSums = (): ShareSums => ({
  drawn: 0,
  sunlit: 0,
  produced: 0,
  offered: 0,
  used: 0,
  unused: 0,
  producing: 0,
  surplus: 0,
  short: 0,
})

type StepRanges = Map<string, [number, number][]>
type ExplainedCurve = { id: string; values: Int32Array; local: Int32Array }

/** Energies while the point took part with known values; -1 elsewhere. */
const listExplainedCurves = ({ points }: ExplainedDays, wantedDirection: string): ExplainedCurve[] =>
  points.flatMap(({ id, direction, local, known }) =>
    direction === wantedDirection && known
      ? [{ id, local, values: local.map((own, at) => (own < 0 ? -1 : (known.values[at] ?? -1))) }]
      : [],
  )

const sumCurvesAt = (curves: ExplainedCurve[], at: number, of: 'values' | 'local') =>
  curves.reduce((sum, curve) => sum + Math.max(0, curve[of][at] ?? 0), 0)

/** Adds the member's share at each step of some days. */
function addShareSums(sums: ShareSums, explained: ExplainedDays, active: StepRanges): void {
  const producers = listExplainedCurves(explained, 'production')
  const consumers = listExplainedCurves(explained, 'consumption')
  const own = consumers.filter(({ id }) => active.has(id))
  const { steps, step, spans } = explained
  const offers = new Map(
    own.map(({ id }) => [id, computeOfferedEnergy(id, { steps, producers, consumers, keys: spans })]),
  )
  if ([...offers.values()].includes(null)) sums.offered = null
  const isIn = (id: string, at: number) => (active.get(id) ?? []).some(([from, to]) => at >= from && at < to)
  for (let at = 0; at < steps; at++) {
    const activeCurves = own.filter((curve) => isIn(curve.id, at) && (curve.values[at] ?? -1) >= 0)
    if (!activeCurves.length) continue
    const pool = sumCurvesAt(producers, at, 'values')
    const [drawn, local] = [sumCurvesAt(activeCurves, at, 'values'), sumCurvesAt(activeCurves, at, 'local')]
    sums.drawn += drawn
    sums.used += local
    if (pool === 0) continue
    sums.sunlit += drawn
    sums.produced += pool
    sums.producing += step
    if (pool > sumCurvesAt(consumers, at, 'local')) sums.surplus += step
    if (drawn > local) sums.short += step
    if (sums.offered === null) continue
    const offered = activeCurves.reduce((sum, { id }) => sum + (offers.get(id)?.[at] ?? 0), 0)
    sums.offered += offered
    sums.unused += Math.max(0, offered - local)
  }
}

const toHours = (minutes: number) => Math.round((minutes / 60) * 100) / 100

const toWhyShare = (sums: ShareSums): WhyShare => ({
  sunlit: toWh(sums.sunlit),
  sunlitShare: sums.drawn > 0 ? sums.sunlit / sums.drawn : null,
  produced: toWh(sums.produced),
  offered: sums.offered === null ? null : toWh(sums.offered),
  used: toWh(sums.used),
  unused: sums.offered === null ? null : toWh(sums.unused),
  hours: { producing: toHours(sums.producing), surplus: toHours(sums.surplus), short: toHours(sums.short) },
})

type NeighboursQuery = Period & { companyId: number; operationId: string; participantId: string }

function computeMedian(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? half : half - 1], sorted[half]]
  return (low + high) / 2
}

/** Consumption and local energy of each of these people. */
function sumByPerson(memberMonths: MemberMonthSum[], people: Set<Member>) {
  const sums = new Map<string, { total: number; local: number }>()
  for (const { member, sum } of memberMonths) {
    if (!people.has(member)) continue
    const known = sums.get(getPersonId(member)) ?? { total: 0, local: 0 }
    sums.set(getPersonId(member), { total: known.total + sum.total, local: known.local + sum.local })
  }
  return [...sums.values()].filter(({ total }) => total > 0)
}

/** The median of comparable neighbours, in whole per cent and kWh: rounded because it may be one person's figure. */
async function loadMedianNeighbours(db: Db, place: NeighboursQuery): Promise<EnergyExplanation['neighbours']> {
  const { companyId, operationId, participantId, from, to } = place
  const memberMonths = await loadMemberSumsByMonth(db, companyId, operationId, { from, to })
  const members = [...new Set(memberMonths.map(({ member }) => member))]
  const own = members.filter((member) => member.participantId === participantId)
  const others = sumByPerson(memberMonths, new Set(await listComparableMembers(db, companyId, own, members)))
  if (others.length < MIN_ANONYMOUS_PEOPLE) return null
  const share = others.map(
    ({ total, local }) => computeRates({ produced: 0, allocated: local, consumed: total }).selfProduction ?? 0,
  )
  return {
    members: others.length,
    selfProduction: Math.round(computeMedian(share) * 100) / 100,
    local: Math.round(computeMedian(others.map(({ local }) => local)) / 60_000) * 1000,
  }
}

type ReadingLevels = z.infer<typeof WhyReadings>

const createReadingLevels = (): ReadingLevels => ({
  steps: 0,
  measured: 0,
  corrected: 0,
  estimated: 0,
  missing: 0,
  gaps: [],
  minutes: 0,
})

/** Adds the data quality of the member's meters; an estimate counts as one, whoever made it. */
function addReadingLevels(
  sums: ReadingLevels,
  explained: ExplainedDays,
  active: Map<string, [number, number][]>,
): void {
  sums.minutes = explained.step
  for (const [id, ranges] of active) {
    const levels = explained.levelsOf(id, ranges)
    if (!levels) continue
    sums.steps += levels.steps
    sums.measured += levels.measured
    sums.corrected += levels.corrected
    sums.estimated += levels.estimated + levels.own + levels.profile
    sums.missing += levels.missing
    sums.gaps = [...sums.gaps, ...levels.gaps].sort((a, b) => (a.from < b.from ? -1 : 1))
  }
}
