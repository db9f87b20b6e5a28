import type { EnergySummary } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type ParticipationGroup, readsWholeOperations } from './crews.ts'
import { getPeriodLastYear, getPreviousPeriod, type Period, requirePeriod } from './period.ts'
import { buildMemberPeriods, groupByOperation, type MemberPeriod, maxDay, minDay, type RunInForce } from './pieces.ts'
import { computeReceivedUntil, countExpectedSteps } from './received.ts'
import type { MemberSelection } from './scope.ts'
import { loadSummaryFromRollups, loadSummaryOfMembers } from './summary-parts.ts'
import type { ReadingSum } from './sums.ts'
import {
  buildOperationFigures,
  type Co2Factors,
  computeEnergyTotals,
  hasAnyEnergy,
  type OperationFigures,
} from './totals.ts'

type SummaryQuery = Period & MemberSelection

export async function loadEnergySummary(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: SummaryQuery,
): Promise<EnergySummary> {
  const period = requirePeriod(query)
  const periods = [period, getPreviousPeriod(period), getPeriodLastYear(period)]
  const data = await (readsWholeOperations(actor, query) ? loadSummaryFromRollups : loadSummaryOfMembers)(
    db,
    actor,
    query,
    periods,
  )
  const { members, cuts, held } = data
  const [figures = [], previous = [], lastYear = []] = periods.map((_, nth) =>
    buildOperationFigures(members, data, nth),
  )
  const toPastTotals = (own: OperationFigures[]) => (hasAnyEnergy(own) ? computeEnergyTotals(own, factors) : null)
  return {
    from: period.from,
    to: period.to,
    current: computeEnergyTotals(figures, factors),
    previous: toPastTotals(previous),
    lastYear: toPastTotals(lastYear),
    steps: { ...countReceivedSteps(members, cuts[0] ?? [], figures), ...data.counted, estimated: data.estimated },
    suspended: data.suspended,
    receivedUntil: computeReceivedUntil(data.last),
    stale: held.some((own) => own.stale),
    definitive: isPeriodDefinitive(members, period, held),
    co2: {
      gridGramsPerKwh: factors.CO2_GRID_GRAMS,
      solarGramsPerKwh: factors.CO2_SOLAR_GRAMS,
      source: factors.CO2_SOURCE,
    },
    neighbours: data.neighbours,
  }
}

/** Steps expected so far, and steps received. */
function countReceivedSteps(members: ParticipationGroup[], pieces: MemberPeriod[], figures: OperationFigures[]) {
  const read = figures.flatMap((own) => Object.values(own.read))
  const total = (value: (own: ReadingSum) => number) => read.reduce((sum, own) => sum + value(own), 0)
  const receivedDays = { days: total(({ days }) => days), expected: total(({ expected }) => expected) }
  const steps = new Map(members.map((member) => [member.operationId, member.step]))
  return { expected: countExpectedSteps(pieces, steps, receivedDays), received: total(({ present }) => present) }
}

const sumDuration = (held: RunInForce[]) =>
  held.reduce((days, { from, to }) => days + (Date.parse(to) - Date.parse(from)), 0)

/** Whether every day with a member is covered by a definitive run; runs before or after do not count. */
export function isPeriodDefinitive(members: ParticipationGroup[], period: Period, held: RunInForce[]): boolean {
  if (!held.some(({ definitive }) => definitive)) return false
  const runs = groupByOperation(held)
  return [...groupByOperation(members)].every(([id, groups]) => {
    const memberPeriods = buildMemberPeriods(groups, period, () => 0)
    if (!memberPeriods.length) return true
    const first = memberPeriods.reduce((min, { lo }) => (lo < min ? lo : min), period.to)
    const last = memberPeriods.reduce((max, { hi }) => (hi > max ? hi : max), period.from)
    const own = (runs.get(id) ?? [])
      .map((one) => ({ ...one, from: maxDay(one.from, first), to: minDay(one.to, last) }))
      .filter(({ from, to }) => from < to)
    return own.every(({ definitive }) => definitive) && sumDuration(own) >= Date.parse(last) - Date.parse(first)
  })
}
