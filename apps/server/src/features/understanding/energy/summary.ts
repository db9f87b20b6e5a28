import type { Summary } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { neighboursOf } from './neighbours.ts'
import { lastYearOf, type Period, previousOf, requirePeriod } from './period.ts'
import { cut, earlier, type Held, later, operationsOf, type Piece } from './pieces.ts'
import { countEstimated, expectedSteps, lastDay, receivedUntil } from './received.ts'
import { type Member, type Selection, selectMembers } from './scope.ts'
import { countedSteps, type Measured, measured } from './sums.ts'
import { suspendedIn } from './suspended.ts'
import { assemble, cutEach, type Factors, type Figures, isKnown, runsOver, totalsOf } from './totals.ts'

type Query = Period & Selection

export async function summaryOf(db: Db, actor: Actor, factors: Factors, query: Query): Promise<Summary> {
  const period = requirePeriod(query)
  const members = await selectMembers(db, actor, query)
  const periods = [period, previousOf(period), lastYearOf(period)]
  const cuts = cutEach(members, periods)
  const [{ run, held, counted, suspended }, { read, estimated, last, neighbours }] = await Promise.all([
    givenOver(db, actor, cuts, periods, members),
    readOver(db, actor, cuts, members, query),
  ])
  const [figures = [], previous = [], lastYear = []] = periods.map((_, nth) => assemble(members, { read, run }, nth))
  const before = (own: Figures[]) => (isKnown(own) ? totalsOf(own, factors) : null)
  return {
    from: period.from,
    to: period.to,
    current: totalsOf(figures, factors),
    previous: before(previous),
    lastYear: before(lastYear),
    steps: { ...arrived(members, cuts[0] ?? [], figures), ...counted, estimated },
    suspended,
    receivedUntil: receivedUntil(last),
    stale: held.some((own) => own.stale),
    definitive: isClosed(members, period, held),
    co2: {
      gridGramsPerKwh: factors.CO2_GRID_GRAMS,
      solarGramsPerKwh: factors.CO2_SOLAR_GRAMS,
      source: factors.CO2_SOURCE,
    },
    neighbours,
  }
}

/** What the runs say of all the periods, and of the first alone how many steps they hold and whom they lacked. */
const givenOver = (db: Db, { companyId }: Actor, cuts: Piece[][], periods: Period[], members: Member[]) =>
  snapshot(db, async (view) => {
    const { runs, run } = await runsOver(view, companyId, cuts, periods)
    const { held = [], under = [] } = runs[0] ?? {}
    const counted = await countedSteps(view, companyId, under)
    return { run, held, counted, suspended: await suspendedIn(view, companyId, under, members) }
  })

// One after the other: these and the runs are two lines of questions, and a third would open one more connection.
async function readOver(db: Db, actor: Actor, cuts: Piece[][], members: Member[], query: Query) {
  const { companyId } = actor
  return {
    read: await measured(db, companyId, cuts.flat(), 'whole'),
    estimated: await countEstimated(db, companyId, cuts[0] ?? []),
    last: await lastDay(db, companyId, members),
    neighbours: await snapshot(db, (view) => neighboursOf(view, actor, members, query)),
  }
}

/** Steps that should be there by now, and those that are. */
function arrived(members: Member[], pieces: Piece[], figures: Figures[]) {
  const read = figures.flatMap((own) => Object.values(own.read))
  const total = (value: (own: Measured) => number) => read.reduce((sum, own) => sum + value(own), 0)
  const come = { days: total(({ days }) => days), expected: total(({ expected }) => expected) }
  const steps = new Map(members.map((member) => [member.operationId, member.step]))
  return { expected: expectedSteps(pieces, steps, come), received: total(({ present }) => present) }
}

const span = (held: Held[]) => held.reduce((days, { from, to }) => days + (Date.parse(to) - Date.parse(from)), 0)

/** Every day on which somebody takes part is held by a definitive run; what holds before or after says nothing of them. */
export function isClosed(members: Member[], period: Period, held: Held[]): boolean {
  if (!held.some(({ definitive }) => definitive)) return false
  return operationsOf(members).every((id) => {
    const pieces = cut(
      members.filter(({ operationId }) => operationId === id),
      period,
      () => 0,
    )
    if (!pieces.length) return true
    const first = pieces.reduce((min, { lo }) => (lo < min ? lo : min), period.to)
    const last = pieces.reduce((max, { hi }) => (hi > max ? hi : max), period.from)
    const own = held
      .filter(({ operationId }) => operationId === id)
      .map((one) => ({ ...one, from: later(one.from, first), to: earlier(one.to, last) }))
      .filter(({ from, to }) => from < to)
    return own.every(({ definitive }) => definitive) && span(own) >= Date.parse(last) - Date.parse(first)
  })
}
