import type { Db } from '../../../db/client.ts'
import type { Period } from './period.ts'
import { listRunsInForce } from './pieces.ts'
import { listMembersOfOperations, type Member } from './scope.ts'
import { type AllocationSum, loadAllocationSums } from './sums.ts'
import { loadPeriodData } from './totals.ts'

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
