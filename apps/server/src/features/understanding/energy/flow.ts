import type { Flow as FlowSchema } from '@voisol/contract/energy'
import { seatName } from '@voisol/contract/points'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Link, linksOf } from './pairs.ts'
import { type Period, requirePeriod } from './period.ts'
import { operationsOf } from './pieces.ts'
import { type Member, membersOfOperations, type Selection, selectMembers } from './scope.ts'
import { type Shared, shared } from './sums.ts'
import { sceneOf, toWh } from './totals.ts'

type Flow = z.infer<typeof FlowSchema>
type Own = { id: string; member: Member; total: number; local: number }

/** A little over a year. */
const MOST_DAYS = 400

export async function flowOf(db: Db, actor: Actor, query: Period & Selection): Promise<Flow> {
  const period = requirePeriod(query, MOST_DAYS)
  const { companyId } = actor
  const chosen = await selectMembers(db, actor, query)
  const ids = [...new Set(chosen.map(({ pointId }) => pointId))]
  const scene = await sceneOf(db, companyId, chosen, period, ({ pointId }) => ids.indexOf(pointId))
  const sums = await shared(db, companyId, scene, 'whole')
  const taking = new Set(scene.pieces.map(({ pointId }) => pointId))
  const own = ids.filter((id) => taking.has(id)).map((id) => ownOf(id, chosen, sums.get(ids.indexOf(id))?.get('')))
  if (actor.space === 'portal') return toFlow(own, throughOperation(own), [])
  const members = await membersOfOperations(db, companyId, operationsOf(scene.pieces))
  const links = (await linksOf({ db, companyId, members }, scene.held)).filter(
    ({ from, to }) => taking.has(from) || taking.has(to),
  )
  return toFlow(own, links, members)
}

const nameOf = ({ label, participantName }: Member) => seatName(label, participantName)

function ownOf(id: string, members: Member[], sum: Shared | undefined): Own {
  const member = members.findLast(({ pointId }) => pointId === id)
  if (!member) throw new Error('a point without a member')
  return { id, member, total: sum?.total ?? 0, local: sum?.local ?? 0 }
}

/** A client sees energy come from the operation and go to it: who else is in it is not theirs to know. */
const throughOperation = (own: Own[]): Link[] =>
  own
    .filter(({ local }) => local > 0)
    .map(({ id, member, local }) =>
      member.direction === 'production'
        ? { from: id, to: member.operationId, energy: local }
        : { from: member.operationId, to: id, energy: local },
    )

/** The points chosen with all their energy; those at the other end of a link with what the links hold. */
function toFlow(own: Own[], links: Link[], members: Member[]): Flow {
  const byId = new Map(own.map((one) => [one.id, one]))
  const names = new Map(members.map((member) => [member.pointId, nameOf(member)]))
  const batteries = new Set(
    [...members, ...own.map((one) => one.member)].flatMap((m) => (m.storage ? [m.pointId] : [])),
  )
  const mark = (id: string) => (batteries.has(id) ? { storage: true } : {})
  const operations = new Map(own.map(({ member }) => [member.operationId, member.operationName]))
  const label = (id: string) => names.get(id) ?? operations.get(id) ?? ''
  const others = (end: 'from' | 'to') => {
    const sums = new Map<string, number>()
    for (const link of links) if (!byId.has(link[end])) sums.set(link[end], (sums.get(link[end]) ?? 0) + link.energy)
    return [...sums].map(([id, energy]) => ({ id, label: label(id), ...mark(id), wh: toWh(energy), rest: 0 }))
  }
  const side = (direction: Member['direction'], end: 'from' | 'to') =>
    [
      ...own
        .filter(({ member }) => member.direction === direction)
        .map((one) => ({
          id: one.id,
          label: nameOf(one.member),
          ...mark(one.id),
          wh: toWh(one.local),
          rest: toWh(one.total - one.local),
        })),
      ...others(end),
    ].sort((a, b) => b.wh - a.wh)
  const producers = side('production', 'from')
  const consumers = side('consumption', 'to')
  // What a battery released and nobody took is no surplus of the production.
  const surplus = own.filter(({ member }) => member.direction === 'production' && !member.storage)
  return {
    producers: producers.map(({ rest, ...node }) => ({ ...node, surplusWh: rest })),
    consumers: consumers.map(({ rest, ...node }) => ({ ...node, gridWh: rest })),
    links: links.map(({ from, to, energy }) => ({ from, to, wh: toWh(energy) })).sort((a, b) => b.wh - a.wh),
    surplusWh: toWh(surplus.reduce((sum, { total, local }) => sum + total - local, 0)),
  }
}
