import type { MemberRow } from '@voisol/contract/energy-rows'
import type { ListQuery } from '@voisol/contract/list'
import type { z } from 'zod'
import { sideLabel } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { tableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { seatsByFigure } from './by-figure.ts'
import { isWhole } from './crews.ts'
import { memberFigures, sharesOf } from './member-figures.ts'
import { namedSeats, nameOf } from './member-names.ts'
import { inNamedOrder, inOrder, isByFigure, type Wanted, wanted } from './member-order.ts'
import { type Period, requirePeriod } from './period.ts'
import { operationsOf } from './pieces.ts'
import { inTime, sumSeats, type Taking, takingPart } from './roster.ts'
import type { SeatSum } from './seat-pack.ts'
import { seatOf } from './seats.ts'

type Row = z.infer<typeof MemberRow>
type Query = ListQuery & Wanted & Period & { operationId?: string | undefined }

export const memberRows = (db: Db, actor: Actor, query: Period & Pick<Query, 'operationId'>): Promise<Row[]> =>
  snapshot(db, async (view) => {
    const period = requirePeriod(query)
    return rowsOf(view, actor, await takingPart(view, actor, { ...query, ...period }), period)
  })

/** Of all who take part in some operations: a share is one of theirs. */
async function rowsOf(db: Db, actor: Actor, taking: Taking[], period: Period): Promise<Row[]> {
  const rows = (await sumSeats(db, actor, taking, period)).map(({ seat, sum }) => rowOf(seat, sum))
  sharesOf(rows)
  return rows
}

const rowOf = (member: Taking, sum: SeatSum): Row => ({
  id: member.pointId,
  participantId: member.participantId,
  name: nameOf(member),
  operationId: member.operationId,
  operationName: member.operationName,
  prm: member.prm,
  direction: member.direction,
  ...(member.storage && { storage: true }),
  ...memberFigures(sum, member.unitPrice),
  share: null,
})

const chosen = async (db: Db, actor: Actor, query: Query): Promise<Row[]> =>
  inOrder(wanted(await memberRows(db, actor, query), query), query)

export const listMembers = (db: Db, actor: Actor, query: Query) =>
  snapshot(db, (view) => (isByFigure(query) && !isWhole(actor, {}) ? pageOfAll : pageOfSome)(view, actor, query))

/** Of the few that somebody may see of an operation, all are summed. */
async function pageOfAll(db: Db, actor: Actor, query: Query) {
  const rows = await chosen(db, actor, query)
  const { limit, offset } = pageOf(query)
  return { items: rows.slice(offset, offset + limit), total: rows.length }
}

/** Who is found, in their order: by what they are called, or by what they sum to. */
async function found(db: Db, actor: Actor, query: Query & Period) {
  if (!isByFigure(query)) return inNamedOrder(wanted(await namedSeats(db, actor, query), query), query, inTime)
  const ordered = await seatsByFigure(db, actor, query)
  if (!query.q) return ordered
  const named = new Set(wanted(await namedSeats(db, actor, query), query).map(({ id }) => id))
  return ordered.filter(({ id }) => named.has(id))
}

/** Only what the page shows is read whole, and only its operations are. */
async function pageOfSome(db: Db, actor: Actor, query: Query) {
  const period = requirePeriod(query)
  const all = await found(db, actor, { ...query, ...period })
  const { limit, offset } = pageOf(query)
  const page = all.slice(offset, offset + limit)
  const taking = await takingPart(db, actor, { ...query, ...period, operationIds: operationsOf(page) })
  const seats = new Map(taking.map((own) => [own.id, seatOf(own)]))
  const rows = new Map(
    (await rowsOf(db, actor, taking, period)).map((row) => [seatOf({ ...row, pointId: row.id }), row]),
  )
  return { items: page.flatMap(({ id }) => rows.get(seats.get(id) ?? '') ?? []), total: all.length }
}

const HEADER = [
  'Nom',
  'PRM',
  'Sens',
  'Opération',
  'Énergie (kWh)',
  'Énergie locale (kWh)',
  'Taux',
  'Part de l’opération',
  'Valeur (€)',
]
const rounded = (value: number | null, decimals: number) =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals

export async function membersFile(db: Db, actor: Actor, query: Query & { format: 'csv' | 'xlsx' }) {
  const rows = await chosen(db, actor, query)
  const cells = rows.map((row) => [
    row.name,
    row.prm,
    sideLabel(row),
    row.operationName,
    rounded(row.total / 1000, 3),
    rounded(row.local / 1000, 3),
    rounded(row.rate, 4),
    rounded(row.share, 4),
    rounded(row.valueCents === null ? null : row.valueCents / 100, 2),
  ])
  return tableFile('repartition-par-membre', query.format, HEADER, cells)
}
