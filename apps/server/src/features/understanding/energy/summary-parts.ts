import type { Summary } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { GROUPS, type Seat, selectCrews } from './crews.ts'
import { keptLastDay } from './kept-last-day.ts'
import { keptOver } from './kept-sums.ts'
import { neighboursOf } from './neighbours.ts'
import type { Period } from './period.ts'
import { cut, type Held, heldOverEach, operationsOf, type Piece, underRuns } from './pieces.ts'
import { countEstimated, lastDay } from './received.ts'
import { type Member, membersOfPoints, type Selection, selectMembers } from './scope.ts'
import { countedSteps, type Measured, measured, type Shared, type Sums } from './sums.ts'
import { lackingPoints, suspendedIn } from './suspended.ts'
import { cutEach, groupsOf, runsOver } from './totals.ts'

type Query = Period & Selection
/** All that a summary is made of, whichever way it was read. */
export type Found = {
  members: Seat[]
  cuts: Piece[][]
  read: Sums<Measured>
  run: Sums<Shared>
  held: Held[]
  counted: { allocated: number; excluded: number }
  estimated: number
  suspended: Summary['suspended']
  last: string | null
  neighbours: Summary['neighbours']
}

/** From the days of some points. */
export async function ofMembers(db: Db, actor: Actor, query: Query, periods: Period[]): Promise<Found> {
  const members = await selectMembers(db, actor, query)
  const cuts = cutEach(members, periods)
  const [given, read] = await Promise.all([
    givenOver(db, actor, cuts, periods, members),
    readOver(db, actor, cuts, members, query),
  ])
  return { members, cuts, ...given, ...read }
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

/** From what is kept of whole operations, at one moment: a mark and what it speaks of are seen together. */
export const ofOperations = (db: Db, actor: Actor, query: Query, periods: Period[]): Promise<Found> =>
  snapshot(db, async (view) => {
    const { companyId } = actor
    const members = await selectCrews(view, actor, query)
    const cuts = cutEach(members, periods)
    const ids = operationsOf(members)
    const both = await keptOver(view, companyId, members, periods, 'whole', groupsOf(members))
    const taking = new Set(operationsOf(cuts[0] ?? []))
    const [first = []] = await heldOverEach(view, companyId, ids, periods.slice(0, 1))
    const held = first.filter(({ operationId }) => taking.has(operationId))
    // The groups of the first period come first.
    const own = <T>(sums: Sums<T>) =>
      [...sums].flatMap(([group, of]) => (group < ids.length * GROUPS ? [...of.values()] : []))
    const sum = <T>(all: T[], value: (one: T) => number) => all.reduce((total, one) => total + value(one), 0)
    const shared = own(both.run)
    const excluded = sum(shared, (one) => one.excluded)
    return {
      members,
      cuts,
      ...both,
      held,
      counted: { allocated: sum(shared, ({ steps }) => steps) - excluded, excluded },
      estimated: sum(own(both.read), (one) => one.estimated),
      suspended: await lackingIn(view, companyId, held, query),
      last: await keptLastDay(view, companyId, ids),
      neighbours: null,
    }
  })

/** Only those whom a run lacked are looked at one by one. */
async function lackingIn(view: Db, companyId: number, held: Held[], period: Period) {
  const points = await lackingPoints(view, companyId, held)
  if (!points.length) return []
  const members = await membersOfPoints(view, companyId, operationsOf(held), points)
  return suspendedIn(
    view,
    companyId,
    underRuns(
      cut(members, period, () => 0),
      held,
    ),
    members,
  )
}
