import { and, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import { participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { readParticipationRollupsAt } from './kept-seats.ts'
import { assignShares, computeMemberFigures } from './member-figures.ts'
import { type MemberFilter, sortMembersByFigure } from './member-order.ts'
import type { Period } from './period.ts'
import { compareByStart, loadOperationFields, participatesInPeriod } from './roster.ts'
import { addParticipationSums, getParticipationSum, type ParticipationSum } from './seat-pack.ts'

type MemberListQuery = MemberFilter & Period & { operationId?: string | undefined }
type Direction = 'consumption' | 'production'

/** All participations of an operation in one row, as texts of fixed-length fields. */
type PackedParticipations = {
  operationId: string
  ids: string
  holders: string
  points: string
  days: string
  sides: string
  prms: string
}
/** A holder and point of an operation, identified by their first participation. */
type MemberWithSum = {
  id: string
  startsOn: string
  operationId: string
  prm: string
  direction: Direction
  sum: ParticipationSum
}

const ID_LENGTH = 32
const DAY_LENGTH = 10
const PRM_LENGTH = 14
const concatIdsSql = (column: AnyPgColumn) => sql`encode(string_agg(uuid_send(${column}), ''), 'hex')`

/** One row per operation, since creating ten thousand row objects is slower than all other work. */
async function loadPackedParticipations(db: Db, actor: Actor, query: MemberListQuery): Promise<PackedParticipations[]> {
  const { rows } = await db.execute<PackedParticipations>(sql`
    select ${participations.operationId} as "operationId", ${concatIdsSql(participations.id)} as ids,
           ${concatIdsSql(participations.participantId)} as holders, ${concatIdsSql(participations.pointId)} as points,
           string_agg(${participations.startsOn}::text, '') as days, string_agg(left(${points.direction}, 1), '') as sides,
           string_agg(${points.prm}, '') as prms
      from ${participations}
      join ${points} on ${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}
     where ${and(participatesInPeriod(actor, query))} group by ${participations.operationId}`)
  return rows
}

const sliceNth = (text: string, length: number, nth: number) => text.slice(nth * length, (nth + 1) * length)

/**
 * Merges repeated participations of a holder and point. `from` is the position of the operation's first participation
 * in the sums.
 */
function unpackMembers(row: PackedParticipations, sums: Float64Array, from: number): MemberWithSum[] {
  const { operationId } = row
  const membersByKey = new Map<string, MemberWithSum>()
  for (let nth = 0; nth * ID_LENGTH < row.ids.length; nth++) {
    const key = sliceNth(row.holders, ID_LENGTH, nth) + sliceNth(row.points, ID_LENGTH, nth)
    const [id, startsOn, sum] = [
      sliceNth(row.ids, ID_LENGTH, nth),
      sliceNth(row.days, DAY_LENGTH, nth),
      getParticipationSum(sums, from + nth),
    ]
    const known = membersByKey.get(key)
    if (known) {
      if (compareByStart({ id, startsOn }, known) < 0) Object.assign(known, { id, startsOn })
      known.sum = addParticipationSums(known.sum, sum)
    } else {
      const direction = row.sides[nth] === 'p' ? 'production' : 'consumption'
      membersByKey.set(key, { id, startsOn, operationId, prm: sliceNth(row.prms, PRM_LENGTH, nth), direction, sum })
    }
  }
  return [...membersByKey.values()]
}

const toUuid = (key: string) =>
  `${key.slice(0, 8)}-${key.slice(8, 12)}-${key.slice(12, 16)}-${key.slice(16, 20)}-${key.slice(20)}`

/** All members sorted by a figure; names are only loaded for the page shown. */
export async function listMembersByFigure(
  db: Db,
  actor: Actor,
  query: MemberListQuery,
): Promise<{ id: string; operationId: string }[]> {
  const packedRows = await loadPackedParticipations(db, actor, query)
  const operations = await loadOperationFields(db, actor.companyId, query.operationId)
  const places = new Map<string, number>()
  const firstPlaces = packedRows.map(({ ids }) => {
    const first = places.size
    for (let at = 0; at < ids.length; at += ID_LENGTH) places.set(ids.slice(at, at + ID_LENGTH), first + at / ID_LENGTH)
    return first
  })
  const ids = packedRows.map(({ operationId }) => operationId)
  const sums = await readParticipationRollupsAt(db, actor.companyId, ids, query, places)
  const membersWithSums = packedRows.flatMap((row, nth) => unpackMembers(row, sums, firstPlaces[nth] ?? 0))
  const rows = membersWithSums.map(({ id, startsOn, operationId, prm, direction, sum }) => {
    const { total, local, rate, valueCents } = computeMemberFigures(sum, operations.get(operationId)?.unitPrice ?? null)
    const share: number | null = null
    return { id, startsOn, operationId, prm, direction, total, local, rate, valueCents, share }
  })
  assignShares(rows)
  const rowsOfDirection = query.direction ? rows.filter(({ direction }) => direction === query.direction) : rows
  return sortMembersByFigure(rowsOfDirection, query, compareByStart).map(({ id, operationId }) => ({
    id: toUuid(id),
    operationId,
  }))
}
