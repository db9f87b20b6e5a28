import { and, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import { participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { placedSeats } from './kept-seats.ts'
import { memberFigures, sharesOf } from './member-figures.ts'
import { inFigureOrder, type Wanted } from './member-order.ts'
import type { Period } from './period.ts'
import { inTime, operationsBy, takes } from './roster.ts'
import { addSums, type SeatSum, seatSum } from './seat-pack.ts'

type Query = Wanted & Period & { operationId?: string | undefined }
type Side = 'consumption' | 'production'

/** Who takes part in an operation, all of them in one row: ids, days and PRM are of one length each. */
type Packed = {
  operationId: string
  ids: string
  holders: string
  points: string
  days: string
  sides: string
  prms: string
}
/** A holder and a point of an operation, by the participation that came first. */
type Seat = { id: string; startsOn: string; operationId: string; prm: string; direction: Side; sum: SeatSum }

const ID = 32
const DAY = 10
const PRM = 14
const idsOf = (column: AnyPgColumn) => sql`encode(string_agg(uuid_send(${column}), ''), 'hex')`

/** Ten thousand rows cost more than all that is made of them: those of an operation come as one. */
async function packedSeats(db: Db, actor: Actor, query: Query): Promise<Packed[]> {
  const { rows } = await db.execute<Packed>(sql`
    select ${participations.operationId} as "operationId", ${idsOf(participations.id)} as ids,
           ${idsOf(participations.participantId)} as holders, ${idsOf(participations.pointId)} as points,
           string_agg(${participations.startsOn}::text, '') as days, string_agg(left(${points.direction}, 1), '') as sides,
           string_agg(${points.prm}, '') as prms
      from ${participations}
      join ${points} on ${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}
     where ${and(takes(actor, query))} group by ${participations.operationId}`)
  return rows
}

const cut = (text: string, length: number, nth: number) => text.slice(nth * length, (nth + 1) * length)

/** Each once, however often they came and left. `from` is the place of the operation's first participation among the sums. */
function seatsIn(row: Packed, sums: Float64Array, from: number): Seat[] {
  const { operationId } = row
  const seats = new Map<string, Seat>()
  for (let nth = 0; nth * ID < row.ids.length; nth++) {
    const key = cut(row.holders, ID, nth) + cut(row.points, ID, nth)
    const [id, startsOn, sum] = [cut(row.ids, ID, nth), cut(row.days, DAY, nth), seatSum(sums, from + nth)]
    const known = seats.get(key)
    if (known) {
      if (inTime({ id, startsOn }, known) < 0) Object.assign(known, { id, startsOn })
      known.sum = addSums(known.sum, sum)
    } else {
      const direction = row.sides[nth] === 'p' ? 'production' : 'consumption'
      seats.set(key, { id, startsOn, operationId, prm: cut(row.prms, PRM, nth), direction, sum })
    }
  }
  return [...seats.values()]
}

const idOf = (key: string) =>
  `${key.slice(0, 8)}-${key.slice(8, 12)}-${key.slice(12, 16)}-${key.slice(16, 20)}-${key.slice(20)}`

/** All who take part, in the order of a figure: whoever is on the page is read again by name. */
export async function seatsByFigure(
  db: Db,
  actor: Actor,
  query: Query,
): Promise<{ id: string; operationId: string }[]> {
  const packed = await packedSeats(db, actor, query)
  const operations = await operationsBy(db, actor.companyId, query.operationId)
  const places = new Map<string, number>()
  const firsts = packed.map(({ ids }) => {
    const first = places.size
    for (let at = 0; at < ids.length; at += ID) places.set(ids.slice(at, at + ID), first + at / ID)
    return first
  })
  const ids = packed.map(({ operationId }) => operationId)
  const sums = await placedSeats(db, actor.companyId, ids, query, places)
  const seats = packed.flatMap((row, nth) => seatsIn(row, sums, firsts[nth] ?? 0))
  const rows = seats.map(({ id, startsOn, operationId, prm, direction, sum }) => {
    const { total, local, rate, valueCents } = memberFigures(sum, operations.get(operationId)?.unitPrice ?? null)
    const share: number | null = null
    return { id, startsOn, operationId, prm, direction, total, local, rate, valueCents, share }
  })
  sharesOf(rows)
  const asked = query.direction ? rows.filter(({ direction }) => direction === query.direction) : rows
  return inFigureOrder(asked, query, inTime).map(({ id, operationId }) => ({ id: idOf(id), operationId }))
}
