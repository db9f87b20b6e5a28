import type { EnergyFlow as FlowSchema } from '@voisol/contract/energy'
import { formatDwellingName } from '@voisol/contract/points'
import { allocateEnergy } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import { computePairs } from '@voisol/energy/pairs'
import { MISSING } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { loadKeySpans } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadEnergies, loadRunInput } from '../../energy/allocation/index.ts'
import { loadAllocatedDays } from './energy-columns.ts'
import { type AllocationSum, loadAllocationSums } from './energy-sums.ts'
import { loadPeriodData, toWh } from './energy-totals.ts'
import { listMembersOfOperations, listReadableMembers, type Member, type MemberSelection } from './member-scope.ts'
import {
  listOperationIds,
  type MemberRunPeriod,
  type Period,
  type RunInForce,
  requirePeriod,
  splitWholeMonths,
} from './periods.ts'

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

/** Watt-minutes from one point to another. */
type EnergyLink = { from: string; to: string; energy: number }

type LinkSource = { db: Db; companyId: number; members: Member[] }

/**
 * Exact energy between each pair of points: from monthly rows when every day of a month counts, otherwise step by step.
 * Each consumer's and producer's energy at a step is stored; a pooled key mixes them in proportion.
 */
async function loadEnergyLinks(source: LinkSource, runsInForce: RunInForce[]): Promise<EnergyLink[]> {
  const sums = new Map<string, EnergyLink>()
  const add = ({ from, to, energy }: EnergyLink) => {
    const id = `${from} ${to}`
    const known = sums.get(id)
    if (known) known.energy += energy
    else if (energy > 0) sums.set(id, { from, to, energy })
  }
  for (const run of runsInForce) {
    const whole = { from: run.runFrom, to: run.runTo }
    const monthsAndDays = splitWholeMonths({ ...run, pointId: '', lo: run.from, hi: run.to, group: 0 }, whole)
    for (const link of await readMonthlyLinks(source, run.runId, monthsAndDays.months)) add(link)
    for (const { lo, hi } of monthsAndDays.days)
      for (const link of await computeLinks(source, { ...run, from: lo, to: hi })) add(link)
  }
  return [...sums.values()]
}

async function readMonthlyLinks(
  { db, companyId }: LinkSource,
  runId: string,
  months: { lo: string; hi: string }[],
): Promise<EnergyLink[]> {
  if (!months.length) return []
  const monthRanges = sql.join(
    months.map(({ lo, hi }) => sql`month >= ${lo} and month < ${hi}`),
    sql` or `,
  )
  const { rows } = await db.execute<EnergyLink>(sql`
    select producer_id as "from", point_id as "to", sum(energy)::float8 as energy from allocation_pairs
     where company_id = ${companyId} and run_id = ${runId} and (${monthRanges})
     group by 1, 2`)
  return rows
}

async function computeLinks(source: LinkSource, run: RunInForce): Promise<EnergyLink[]> {
  const { db, companyId } = source
  const { rows } = await db.execute(sql`
    select 1 from allocation_runs where company_id = ${companyId} and id = ${run.runId}
       and key_ids @> '[{"method":"complete"}]'`)
  return rows.length ? recomputeCompleteKeyLinks(source, run) : computePooledLinks(source, run)
}

/** A complete key defines each pair itself, so it is applied again to those days. */
async function recomputeCompleteKeyLinks(
  { db, companyId }: LinkSource,
  { operationId, from, to, estimated, estimateBy }: RunInForce,
): Promise<EnergyLink[]> {
  const input = await loadRunInput(db, { companyId, operationId, from, to, estimated, estimateBy })
  const { producers, consumers } = await loadEnergies(db, input, { from, to })
  const keys = await loadKeySpans(db, input, input.keys, { from, to })
  const steps = (dayStart(to) - dayStart(from)) / input.step
  const allocation = allocateEnergy({ steps, producers, consumers, keys })
  return toLinks(
    computePairs({ allocation, keys, producers, consumers }, new Uint16Array(steps), 1),
    producers,
    consumers,
  )
}

async function computePooledLinks({ db, companyId, members }: LinkSource, run: RunInForce): Promise<EnergyLink[]> {
  const step = members.find(({ operationId }) => operationId === run.operationId)?.step ?? 15
  const origin = dayStart(run.from)
  const steps = (dayStart(run.to) - origin) / step
  const loadSideCurves = async (direction: Member['direction']) => {
    const pieces = buildRunPeriods(members, run, direction)
    const ids = [...new Set(pieces.map(({ pointId }) => pointId))]
    const curves = new Map(ids.map((id) => [id, new Int32Array(steps)]))
    for (const { piece, day, values } of await loadAllocatedDays(db, companyId, pieces)) {
      const at = (dayStart(day) - origin) / step
      if (at + values.length <= steps) curves.get(piece.pointId)?.set(values, at)
    }
    const batteries = new Set(members.flatMap(({ pointId, storage }) => (storage ? [pointId] : [])))
    return ids.map((id) => ({
      id,
      values: curves.get(id) ?? new Int32Array(steps),
      active: buildAlwaysActive(steps),
      storage: batteries.has(id),
    }))
  }
  const producers = await loadSideCurves('production')
  const consumers = await loadSideCurves('consumption')
  const allocation = toAllocation(producers, consumers, steps)
  const keys = [{ from: 0, to: steps, key: { method: 'default' as const } }]
  return toLinks(
    computePairs({ allocation, keys, producers, consumers }, new Uint16Array(steps), 1),
    producers,
    consumers,
  )
}

const buildAlwaysActive = (steps: number): [number, number][] => [[0, steps]]

const buildRunPeriods = (members: Member[], run: RunInForce, direction: Member['direction']): MemberRunPeriod[] => {
  const ids = new Set(
    members.filter((m) => m.direction === direction && m.operationId === run.operationId).map(({ pointId }) => pointId),
  )
  const { operationId, runId, runFrom, runTo, from: lo, to: hi } = run
  return [...ids].sort().map((pointId) => ({ pointId, operationId, runId, runFrom, runTo, lo, hi, group: 0 }))
}

type LinkCurve = { id: string; values: Int32Array; active: [number, number][] }

/** The stored result in the allocation format: pairs only need received and shared energy. */
function toAllocation(producers: LinkCurve[], consumers: LinkCurve[], steps: number) {
  const allocated = consumers.map(({ values }) => values)
  const shared = producers.map(({ values }) => values)
  const excluded = new Uint8Array(steps)
  for (let at = 0; at < steps; at++) if (allocated.every((own) => own[at] === MISSING)) excluded[at] = 1
  const counts = { steps, excluded: 0, consumerMissing: 0, producerMissing: 0, noKey: 0, defaulted: 0 }
  const defaulted = new Uint8Array(steps)
  return { consumed: allocated, allocated, produced: shared, shared, excluded, defaulted, counts }
}

const toLinks = (sums: Float64Array, producers: { id: string }[], consumers: { id: string }[]): EnergyLink[] =>
  producers.flatMap(({ id: from }, j) =>
    consumers.map(({ id: to }, i) => ({ from, to, energy: sums[j * consumers.length + i] ?? 0 })),
  )
