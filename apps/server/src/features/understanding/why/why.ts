import { formatDwellingName } from '@voisol/contract/points'
import type { EnergyExplanation } from '@voisol/contract/why'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import type { EffectiveKey } from '../../../core/key-versions.ts'
import { loadPortalDisplay } from '../../../core/portal-shown.ts'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { type ExplainedDays, findAllocationRun, loadExplainedDays } from '../../energy/allocations/allocations.ts'
import {
  listReadableMembers,
  listRunsInForce,
  loadEnergySummary,
  type Member,
  type Period,
  requirePeriod,
} from '../energy/energy.ts'
import { addReadingLevels, createReadingLevels } from './levels.ts'
import { loadMedianNeighbours } from './neighbours.ts'
import { addShareSums, createShareSums, toWhyShare } from './share.ts'

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
