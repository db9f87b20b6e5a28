import type { Summary } from '@voisol/contract/energy'
import type { Db } from '../../db/client.ts'
import type { Actor } from '../../http/session.ts'
import { neighboursOf } from './neighbours.ts'
import { lastYearOf, type Period, previousOf, requirePeriod } from './period.ts'
import { cut, type Held, operationsOf } from './pieces.ts'
import { countEstimated, expectedSteps, lastDays, receivedUntil } from './received.ts'
import { type Member, type Selection, selectMembers } from './scope.ts'
import { countedSteps, type Measured } from './sums.ts'
import { type Factors, type Figures, figuresOf, isKnown, sceneOf, totalsOf } from './totals.ts'

type Query = Period & Selection

export async function summaryOf(db: Db, actor: Actor, factors: Factors, query: Query): Promise<Summary> {
  const period = requirePeriod(query)
  const { companyId } = actor
  const members = await selectMembers(db, actor, query)
  const figures = await figuresOf(db, companyId, members, period)
  const before = async (other: Period) => {
    const own = await figuresOf(db, companyId, members, other)
    return isKnown(own) ? totalsOf(own, factors) : null
  }
  return {
    from: period.from,
    to: period.to,
    current: totalsOf(figures, factors),
    previous: await before(previousOf(period)),
    lastYear: await before(lastYearOf(period)),
    ...(await stateOf(db, companyId, members, period, figures)),
    co2: {
      gridGramsPerKwh: factors.CO2_GRID_GRAMS,
      solarGramsPerKwh: factors.CO2_SOLAR_GRAMS,
      source: factors.CO2_SOURCE,
    },
    neighbours: await neighboursOf(db, actor, members, query),
  }
}

const span = (held: Held[]) => held.reduce((days, { from, to }) => days + (Date.parse(to) - Date.parse(from)), 0)

/** What is known of the period and how surely. */
async function stateOf(db: Db, companyId: number, members: Member[], period: Period, figures: Figures[]) {
  const { pieces, held } = await sceneOf(db, companyId, members, period, () => 0)
  const read = figures.flatMap((own) => [own.read.produced, own.read.consumed])
  const total = (value: (own: Measured) => number) => read.reduce((sum, own) => sum + value(own), 0)
  const come = { days: total(({ days }) => days), expected: total(({ expected }) => expected) }
  const steps = new Map(members.map((member) => [member.operationId, member.step]))
  return {
    steps: {
      expected: expectedSteps(pieces, steps, come),
      received: total(({ present }) => present),
      ...(await countedSteps(db, companyId, pieces, held)),
      estimated: await countEstimated(db, companyId, pieces),
    },
    receivedUntil: receivedUntil(await lastDays(db, companyId, members)),
    stale: held.some((run) => run.stale),
    definitive: isClosed(members, period, held),
  }
}

/** Every day on which somebody takes part is held by a definitive run. */
export function isClosed(members: Member[], period: Period, held: Held[]): boolean {
  if (!held.length || held.some(({ definitive }) => !definitive)) return false
  return operationsOf(members).every((id) => {
    const pieces = cut(
      members.filter(({ operationId }) => operationId === id),
      period,
      () => 0,
    )
    if (!pieces.length) return true
    const first = pieces.reduce((min, { lo }) => (lo < min ? lo : min), period.to)
    const last = pieces.reduce((max, { hi }) => (hi > max ? hi : max), period.from)
    return span(held.filter(({ operationId }) => operationId === id)) >= Date.parse(last) - Date.parse(first)
  })
}
