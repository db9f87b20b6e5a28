import type { EnergyFlow as FlowSchema } from '@voisol/contract/energy'
import { formatDwellingName } from '@voisol/contract/points'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type EnergyLink, loadEnergyLinks } from './pairs.ts'
import { type Period, requirePeriod } from './period.ts'
import { listOperationIds } from './pieces.ts'
import { listMembersOfOperations, listReadableMembers, type Member, type MemberSelection } from './scope.ts'
import { type AllocationSum, loadAllocationSums } from './sums.ts'
import { loadPeriodData, toWh } from './totals.ts'

type Flow = z.infer<typeof FlowSchema>
type ChosenPoint = { id: string; member: Member; total: number; local: number }

/** A little over a year. */
const MAX_FLOW_DAYS = 400

export async function loadEnergyFlow(db: Db, actor: Actor, query: Period & MemberSelection): Promise<Flow> {
  const period = requirePeriod(query, MAX_FLOW_DAYS)
  const { companyId } = actor
  const chosenMembers = await listReadableMembers(db, actor, query)
  const ids = [...new Set(chosenMembers.map(({ pointId }) => pointId))]
  const periodData = await loadPeriodData(db, companyId, chosenMembers, period, ({ pointId }) => ids.indexOf(pointId))
  const sums = await loadAllocationSums(db, companyId, periodData, 'whole')
  const presentPointIds = new Set(periodData.pieces.map(({ pointId }) => pointId))
  const chosenPoints = ids
    .filter((id) => presentPointIds.has(id))
    .map((id) => toChosenPoint(id, chosenMembers, sums.get(ids.indexOf(id))?.get('')))
  if (actor.space === 'portal') return buildFlow(chosenPoints, linkThroughOperation(chosenPoints), [])
  const members = await listMembersOfOperations(db, companyId, listOperationIds(periodData.pieces))
  const links = (await loadEnergyLinks({ db, companyId, members }, periodData.held)).filter(
    ({ from, to }) => presentPointIds.has(from) || presentPointIds.has(to),
  )
  return buildFlow(chosenPoints, links, members)
}

const getMemberName = ({ label, participantName }: Member) => formatDwellingName(label, participantName)

function toChosenPoint(id: string, members: Member[], sum: AllocationSum | undefined): ChosenPoint {
  const member = members.findLast(({ pointId }) => pointId === id)
  if (!member) throw new Error('a point without a member')
  return { id, member, total: sum?.total ?? 0, local: sum?.local ?? 0 }
}

/** A client only sees energy from and to the operation as a whole, since other members are confidential. */
const linkThroughOperation = (own: ChosenPoint[]): EnergyLink[] =>
  own
    .filter(({ local }) => local > 0)
    .map(({ id, member, local }) =>
      member.direction === 'production'
        ? { from: id, to: member.operationId, energy: local }
        : { from: member.operationId, to: id, energy: local },
    )

/** The chosen points with all their energy; linked points only with the energy of their links. */
function buildFlow(chosenPoints: ChosenPoint[], links: EnergyLink[], members: Member[]): Flow {
  const byId = new Map(chosenPoints.map((one) => [one.id, one]))
  const names = new Map(members.map((member) => [member.pointId, getMemberName(member)]))
  const batteries = new Set(
    [...members, ...chosenPoints.map((one) => one.member)].flatMap((m) => (m.storage ? [m.pointId] : [])),
  )
  const mark = (id: string) => (batteries.has(id) ? { storage: true } : {})
  const operations = new Map(chosenPoints.map(({ member }) => [member.operationId, member.operationName]))
  const label = (id: string) => names.get(id) ?? operations.get(id) ?? ''
  const others = (end: 'from' | 'to') => {
    const sums = new Map<string, number>()
    for (const link of links) if (!byId.has(link[end])) sums.set(link[end], (sums.get(link[end]) ?? 0) + link.energy)
    return [...sums].map(([id, energy]) => ({ id, label: label(id), ...mark(id), wh: toWh(energy), rest: 0 }))
  }
  const side = (direction: Member['direction'], end: 'from' | 'to') =>
    [
      ...chosenPoints
        .filter(({ member }) => member.direction === direction)
        .map((one) => ({
          id: one.id,
          label: getMemberName(one.member),
          ...mark(one.id),
          wh: toWh(one.local),
          rest: toWh(one.total - one.local),
        })),
      ...others(end),
    ].sort((a, b) => b.wh - a.wh)
  const producers = side('production', 'from')
  const consumers = side('consumption', 'to')
  // Battery energy released and not used is no surplus of production.
  const surplus = chosenPoints.filter(({ member }) => member.direction === 'production' && !member.storage)
  return {
    producers: producers.map(({ rest, ...node }) => ({ ...node, surplusWh: rest })),
    consumers: consumers.map(({ rest, ...node }) => ({ ...node, gridWh: rest })),
    links: links.map(({ from, to, energy }) => ({ from, to, wh: toWh(energy) })).sort((a, b) => b.wh - a.wh),
    surplusWh: toWh(surplus.reduce((sum, { total, local }) => sum + total - local, 0)),
  }
}
