import type { Db } from '../../../db/client.ts'
import type { Period } from './period.ts'
import { heldOver } from './pieces.ts'
import { type Member, membersOfOperations } from './scope.ts'
import { type Shared, shared } from './sums.ts'
import { sceneOf } from './totals.ts'

/** A holder and a point in an operation, however often they came and left. */
export const seatOf = ({ operationId, participantId, pointId }: Seat) => `${operationId} ${participantId} ${pointId}`
type Seat = Pick<Member, 'operationId' | 'participantId' | 'pointId'>

export type SeatMonth = { member: Member; month: string; sum: Shared }

/** What the runs that stand gave to each holder and point of an operation, month by month. */
export async function seatsByMonth(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
): Promise<SeatMonth[]> {
  const members = await membersOfOperations(db, companyId, [operationId])
  const seats = [...new Map(members.map((member) => [seatOf(member), member])).values()]
  const index = new Map(seats.map((member, at) => [seatOf(member), at]))
  const scene = await sceneOf(db, companyId, members, period, (member) => index.get(seatOf(member)) ?? -1)
  const sums = await shared(db, companyId, scene, 'month')
  return seats.flatMap((member, at) => [...(sums.get(at) ?? [])].map(([month, sum]) => ({ member, month, sum })))
}

/** The days of an operation for which runs stand, as stretches of one run each. */
export const standingRuns = (db: Db, companyId: number, operationId: string, period: Period) =>
  heldOver(db, companyId, [operationId], period)
