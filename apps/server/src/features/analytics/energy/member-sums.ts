import type { MemberEnergyItem } from '@voisol/contract/energy-figures'
import { computeValueCents } from '@voisol/money/amounts'
import { and, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type AllocationSum, loadAllocationSums } from './energy-sums.ts'
import { loadPeriodData, splitEnergy, toWh } from './energy-totals.ts'
import {
  listMembersOfOperations,
  type Member,
  memberScope,
  readsWholeOperations,
  requireSelectionExists,
  toSqlArray,
} from './member-scope.ts'
import {
  addParticipationSums,
  getParticipationSum,
  loadParticipationSums,
  type ParticipationSum,
  readParticipationRollups,
} from './participation-rollups.ts'
import { listRunsInForce, type Period, requirePeriod } from './periods.ts'

type PeriodFilter = Period & { operationId?: string | undefined }
/** Or only these operations. */
type ParticipationFilter = PeriodFilter & { operationIds?: string[] }

type OperationFields = Pick<Member, 'operationName' | 'unitPrice' | 'step'>
/** Tags are only loaded when groups are compared. */
type ParticipationRow = { tags: string[] | null } & Pick<
  Member,
  | 'id'
  | 'operationId'
  | 'participantId'
  | 'pointId'
  | 'direction'
  | 'storage'
  | 'startsOn'
  | 'endsOn'
  | 'participantName'
  | 'label'
  | 'prm'
>
/** A participation with days in the period, with only the fields shown. */
export type PeriodParticipation = ParticipationRow & OperationFields

type ParticipationStart = Pick<PeriodParticipation, 'id' | 'startsOn'>
/** Earliest start first. */
export const compareByStart = (a: ParticipationStart, b: ParticipationStart) =>
  a.startsOn === b.startsOn ? (a.id < b.id ? -1 : 1) : a.startsOn < b.startsOn ? -1 : 1

export const participatesInPeriod = (
  actor: Actor,
  { from, to, operationId, operationIds }: ParticipationFilter,
): SQL | undefined =>
  and(
    memberScope(actor),
    sql`${participations.startsOn} < ${to} and (${participations.endsOn} is null or ${participations.endsOn} > ${from})`,
    operationId ? sql`${participations.operationId} = ${operationId}` : undefined,
    operationIds ? sql`${participations.operationId} = any(${toSqlArray(operationIds)}::uuid[])` : undefined,
  )

export const JOIN_PARTICIPANT_AND_POINT = sql`
  join ${participants} on ${participants.companyId} = ${participations.companyId}
   and ${participants.id} = ${participations.participantId}
  join ${points} on ${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}`

/**
 * Participations in the period; comparisons leave out batteries. Fields of operations are read once each, and not per
 * member.
 */
export async function listPeriodParticipations(
  db: Db,
  actor: Actor,
  query: ParticipationFilter,
  compared = false,
): Promise<PeriodParticipation[]> {
  // Uses the driver's rows as they are: mapping ten thousand of them would cost as much as all the rest.
  const { rows } = await db.execute<ParticipationRow>(sql`
    select ${participations.id}, ${participations.operationId} as "operationId", ${participations.participantId} as "participantId",
           ${participations.pointId} as "pointId", ${points.direction}, ${points.storage},
           ${participations.startsOn}::text as "startsOn", ${participations.endsOn}::text as "endsOn",
           ${participants.name} as "participantName", ${points.label}, ${points.prm},
           ${compared ? sql`${participants.tags}` : sql`null`} as tags
      from ${participations} ${JOIN_PARTICIPANT_AND_POINT}
     where ${and(participatesInPeriod(actor, query), compared ? sql`not ${points.storage}` : undefined)}`)
  if (!rows.length) await requireSelectionExists(db, actor, { operationId: query.operationId })
  return addOperationFields(db, actor, query, rows)
}

/** Adds the operation's fields to the rows in place. */
export async function addOperationFields<T extends { operationId: string }>(
  db: Db,
  { companyId }: Actor,
  { operationId }: PeriodFilter,
  rows: T[],
): Promise<(T & OperationFields)[]> {
  const known = await loadOperationFields(db, companyId, operationId)
  return rows.flatMap((row) => {
    const operation = known.get(row.operationId)
    return operation ? [Object.assign(row, operation)] : []
  })
}

export async function loadOperationFields(
  db: Db,
  companyId: number,
  id: string | undefined,
): Promise<Map<string, OperationFields>> {
  const { rows } = await db.execute<OperationFields & { id: string }>(sql`
    select id, name as "operationName", unit_price as "unitPrice", step_minutes as step from operations
     where company_id = ${companyId}${id ? sql` and id = ${id}` : sql``}`)
  return new Map(rows.map(({ id: own, ...rest }) => [own, rest]))
}

type MemberSum = { seat: PeriodParticipation; sum: ParticipationSum }

const isSameMember = (participation: PeriodParticipation, { seat: known }: MemberSum) =>
  known.participantId === participation.participantId && known.operationId === participation.operationId

/** Sums each holder and point of an operation over all their participations, by first start. */
export async function sumByMember(
  db: Db,
  actor: Actor,
  all: PeriodParticipation[],
  period: Period,
): Promise<MemberSum[]> {
  const periodParticipations = all.toSorted(compareByStart)
  const sums = await (readsWholeOperations(actor, {}) ? readParticipationRollups : loadParticipationSums)(
    db,
    actor.companyId,
    periodParticipations,
    period,
  )
  const memberSums: MemberSum[] = []
  // A point has few holders, so a search in a short list is faster than a key per row.
  const ofPoint = new Map<string, MemberSum[]>()
  for (let at = 0; at < periodParticipations.length; at++) {
    const participation = periodParticipations[at] as PeriodParticipation // within bounds
    const sum = getParticipationSum(sums, at)
    const own = ofPoint.get(participation.pointId)
    const known = own?.find((one) => isSameMember(participation, one))
    if (known) Object.assign(known, { seat: participation, sum: addParticipationSums(known.sum, sum) })
    else {
      const found = { seat: participation, sum }
      memberSums.push(found)
      if (own) own.push(found)
      else ofPoint.set(participation.pointId, [found])
    }
  }
  return memberSums
}

/** The sums of compared members over the period. */
export const loadComparedMemberSums = (db: Db, actor: Actor, query: PeriodFilter): Promise<MemberSum[]> =>
  readSnapshot(db, async (view) => {
    const period = requirePeriod(query)
    const periodParticipations = await listPeriodParticipations(view, actor, { ...query, ...period }, true)
    return sumByMember(view, actor, periodParticipations, period)
  })

/** A holder and point in an operation, over all their participations. */
export const getMemberKey = ({ operationId, participantId, pointId }: MemberKeyFields) =>
  `${operationId} ${participantId} ${pointId}`
type MemberKeyFields = Pick<Member, 'operationId' | 'participantId' | 'pointId'>

export type MemberMonthSum = { member: Member; month: string; sum: AllocationSum }

/** Energy of each holder and point of an operation by month, from the runs in force. */
export async function loadMemberSumsByMonth(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
): Promise<MemberMonthSum[]> {
  const members = await listMembersOfOperations(db, companyId, [operationId])
  const distinctMembers = [...new Map(members.map((member) => [getMemberKey(member), member])).values()]
  const index = new Map(distinctMembers.map((member, at) => [getMemberKey(member), at]))
  const periodData = await loadPeriodData(
    db,
    companyId,
    members,
    period,
    (member) => index.get(getMemberKey(member)) ?? -1,
  )
  const sums = await loadAllocationSums(db, companyId, periodData, 'month')
  return distinctMembers.flatMap((member, at) =>
    [...(sums.get(at) ?? [])].map(([month, sum]) => ({ member, month, sum })),
  )
}

/** The days of an operation with runs in force, as ranges of one run each. */
export const listRunsInForceOfOperation = (db: Db, companyId: number, operationId: string, period: Period) =>
  listRunsInForce(db, companyId, [operationId], period)

type Row = z.infer<typeof MemberEnergyItem>
type MemberFigures = Pick<Row, 'total' | 'local' | 'pending' | 'rate' | 'valueCents'>

const computeRatio = (part: number, whole: number) => (whole > 0 ? part / whole : null)

/** The figures of a member in a list. */
export function computeMemberFigures(sum: ParticipationSum, unitPrice: number | null): MemberFigures {
  const { whole, local, rest, pending } = splitEnergy(sum.energy, sum)
  return {
    total: toWh(whole),
    local: toWh(local),
    pending: toWh(pending),
    rate: computeRatio(local, local + rest),
    valueCents: unitPrice === null ? null : computeValueCents([{ wattMinutes: local, price: unitPrice }]),
  }
}

type SharedRow = Pick<Row, 'operationId' | 'direction' | 'local' | 'share'>

/** Sets each member's share of the local energy of its direction in the operation. */
export function assignShares(rows: SharedRow[]): void {
  const pools = new Map<string, Record<Row['direction'], number>>()
  for (const { operationId, direction, local } of rows) {
    const pool = pools.get(operationId) ?? { consumption: 0, production: 0 }
    pools.set(operationId, pool)
    pool[direction] += local
  }
  for (const row of rows) row.share = computeRatio(row.local, pools.get(row.operationId)?.[row.direction] ?? 0)
}
