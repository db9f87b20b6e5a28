import { formatDwellingName } from '@voisol/contract/points'
import type { Direction } from '@voisol/contract/primitives'
import { and, asc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../db/client.ts'
import { participants, participations, points } from '../db/schema/index.ts'

/** A point in an operation from one day to another. */
export type OperationMember = {
  pointId: string
  prm: string
  label: string
  /** The participant who holds the point then. */
  holder: string
  holderId: string
  direction: z.infer<typeof Direction>
  /** One direction of a battery. */
  storage: boolean
  startsOn: string
  endsOn: string | null
}
/** Days from `from` until `to`, or without an end. */
export type OpenPeriod = { from: string; to: string | null }

/** Members of an operation at any time of the period, in a fixed order. */
export const listOperationMembers = (
  db: Db,
  companyId: number,
  operationId: string,
  span: OpenPeriod,
): Promise<OperationMember[]> =>
  db
    .select({
      pointId: points.id,
      prm: points.prm,
      label: points.label,
      holder: participants.name,
      holderId: participants.id,
      direction: sql<OperationMember['direction']>`${points.direction}`,
      storage: points.storage,
      startsOn: participations.startsOn,
      endsOn: participations.endsOn,
    })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, participations.companyId), eq(participants.id, participations.participantId)),
    )
    .where(
      and(
        eq(participations.companyId, companyId),
        eq(participations.operationId, operationId),
        or(isNull(participations.endsOn), gt(participations.endsOn, span.from)),
        span.to === null ? undefined : lt(participations.startsOn, span.to),
      ),
    )
    .orderBy(asc(points.id), asc(participations.startsOn))

/** The dwelling and its holder, and the meter's number: « Bât. A, Mme Morel (12345678901234) ». */
export function formatMemberName({ prm, label, holder }: { prm: string; label: string; holder: string }): string {
  const who = formatDwellingName(label, holder)
  return who ? `${who} (${prm})` : prm
}

export type SubPeriod = OpenPeriod & { consumers: string[]; producers: string[] }

/** The period split wherever a member enters or leaves. */
export function buildSubPeriods(members: OperationMember[], span: OpenPeriod): SubPeriod[] {
  const inside = (day: string | null): day is string =>
    day !== null && day > span.from && (span.to === null || day < span.to)
  const cuts = [...new Set(members.flatMap(({ startsOn, endsOn }) => [startsOn, endsOn]).filter(inside))].sort()
  const starts = [span.from, ...cuts]
  return starts.map((from, at) => {
    const here = members.filter(({ startsOn, endsOn }) => startsOn <= from && (endsOn === null || endsOn > from))
    const ids = (direction: OperationMember['direction']) => [
      ...new Set(here.filter((member) => member.direction === direction).map(({ pointId }) => pointId)),
    ]
    return { from, to: cuts[at] ?? span.to, consumers: ids('consumption'), producers: ids('production') }
  })
}
