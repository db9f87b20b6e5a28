import type { Summary } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { isWhole, type Seat } from './crews.ts'
import { lastYearOf, type Period, previousOf, requirePeriod } from './period.ts'
import { byOperation, cut, earlier, type Held, later, type Piece } from './pieces.ts'
import { expectedSteps, receivedUntil } from './received.ts'
import type { Selection } from './scope.ts'
import { ofMembers, ofOperations } from './summary-parts.ts'
import type { Measured } from './sums.ts'
import { assemble, type Factors, type Figures, isKnown, totalsOf } from './totals.ts'

type Query = Period & Selection

export async function summaryOf(db: Db, actor: Actor, factors: Factors, query: Query): Promise<Summary> {
  const period = requirePeriod(query)
  const periods = [period, previousOf(period), lastYearOf(period)]
  const found = await (isWhole(actor, query) ? ofOperations : ofMembers)(db, actor, query, periods)
  const { members, cuts, held } = found
  const [figures = [], previous = [], lastYear = []] = periods.map((_, nth) => assemble(members, found, nth))
  const before = (own: Figures[]) => (isKnown(own) ? totalsOf(own, factors) : null)
  return {
    from: period.from,
    to: period.to,
    current: totalsOf(figures, factors),
    previous: before(previous),
    lastYear: before(lastYear),
    steps: { ...arrived(members, cuts[0] ?? [], figures), ...found.counted, estimated: found.estimated },
    suspended: found.suspended,
    receivedUntil: receivedUntil(found.last),
    stale: held.some((own) => own.stale),
    definitive: isClosed(members, period, held),
    co2: {
      gridGramsPerKwh: factors.CO2_GRID_GRAMS,
      solarGramsPerKwh: factors.CO2_SOLAR_GRAMS,
      source: factors.CO2_SOURCE,
    },
    neighbours: found.neighbours,
  }
}

/** Steps that should be there by now, and those that are. */
function arrived(members: Seat[], pieces: Piece[], figures: Figures[]) {
  const read = figures.flatMap((own) => Object.values(own.read))
  const total = (value: (own: Measured) => number) => read.reduce((sum, own) => sum + value(own), 0)
  const come = { days: total(({ days }) => days), expected: total(({ expected }) => expected) }
  const steps = new Map(members.map((member) => [member.operationId, member.step]))
  return { expected: expectedSteps(pieces, steps, come), received: total(({ present }) => present) }
}

const span = (held: Held[]) => held.reduce((days, { from, to }) => days + (Date.parse(to) - Date.parse(from)), 0)

/** Every day on which somebody takes part is held by a definitive run; what holds before or after says nothing of them. */
export function isClosed(members: Seat[], period: Period, held: Held[]): boolean {
  if (!held.some(({ definitive }) => definitive)) return false
  const runs = byOperation(held)
  return [...byOperation(members)].every(([id, crew]) => {
    const pieces = cut(crew, period, () => 0)
    if (!pieces.length) return true
    const first = pieces.reduce((min, { lo }) => (lo < min ? lo : min), period.to)
    const last = pieces.reduce((max, { hi }) => (hi > max ? hi : max), period.from)
    const own = (runs.get(id) ?? [])
      .map((one) => ({ ...one, from: later(one.from, first), to: earlier(one.to, last) }))
      .filter(({ from, to }) => from < to)
    return own.every(({ definitive }) => definitive) && span(own) >= Date.parse(last) - Date.parse(first)
  })
}
