import type { MemberRow } from '@voisol/contract/energy-rows'
import type { ListQuery } from '@voisol/contract/list'
import { worthCents } from '@voisol/money/worth'
import type { z } from 'zod'
import { sideLabel } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { tableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { namedSeats, nameOf } from './member-names.ts'
import { inNamedOrder, inOrder, isByFigure, type Wanted, wanted } from './member-order.ts'
import { type Period, requirePeriod } from './period.ts'
import { operationsOf } from './pieces.ts'
import { inTime, sumSeats, type Taking, takingPart } from './roster.ts'
import { seatOf } from './seats.ts'
import { partsOf, toWh } from './totals.ts'

type Row = z.infer<typeof MemberRow>
type Query = ListQuery & Wanted & Period & { operationId?: string | undefined }

export const memberRows = (db: Db, actor: Actor, query: Period & Pick<Query, 'operationId'>): Promise<Row[]> =>
  snapshot(db, async (view) => {
    const period = requirePeriod(query)
    return rowsOf(view, actor, await takingPart(view, actor, { ...query, ...period }), period)
  })

/** Of all who take part in some operations: a share is one of theirs. */
async function rowsOf(db: Db, actor: Actor, taking: Taking[], period: Period): Promise<Row[]> {
  const rows = (await sumSeats(db, actor, taking, period)).map(({ seat, sum }) => rowOf(seat, sum.energy, sum))
  const whole = new Map<string, number>()
  const poolOf = (row: Row) => `${row.operationId} ${row.direction}`
  for (const row of rows) whole.set(poolOf(row), (whole.get(poolOf(row)) ?? 0) + row.local)
  for (const row of rows) row.share = ratio(row.local, whole.get(poolOf(row)) ?? 0)
  return rows
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : null)

function rowOf(member: Taking, energy: number, given: { total: number; local: number }): Row {
  const { whole, local, rest, pending } = partsOf(energy, given)
  return {
    id: member.pointId,
    participantId: member.participantId,
    name: nameOf(member),
    operationId: member.operationId,
    operationName: member.operationName,
    prm: member.prm,
    direction: member.direction,
    ...(member.storage && { storage: true }),
    total: toWh(whole),
    local: toWh(local),
    pending: toWh(pending),
    rate: ratio(local, local + rest),
    share: null,
    valueCents: member.unitPrice === null ? null : worthCents([{ wattMinutes: local, price: member.unitPrice }]),
  }
}

const chosen = async (db: Db, actor: Actor, query: Query): Promise<Row[]> =>
  inOrder(wanted(await memberRows(db, actor, query), query), query)

export const listMembers = (db: Db, actor: Actor, query: Query) =>
  snapshot(db, (view) => (isByFigure(query) ? pageOfAll : pageByName)(view, actor, query))

async function pageOfAll(db: Db, actor: Actor, query: Query) {
  const rows = await chosen(db, actor, query)
  const { limit, offset } = pageOf(query)
  return { items: rows.slice(offset, offset + limit), total: rows.length }
}

/** Names say who is on the page: only the operations of those are summed. */
async function pageByName(db: Db, actor: Actor, query: Query) {
  const period = requirePeriod(query)
  const found = inNamedOrder(wanted(await namedSeats(db, actor, { ...query, ...period }), query), query, inTime)
  const { limit, offset } = pageOf(query)
  const page = found.slice(offset, offset + limit)
  const taking = await takingPart(db, actor, { ...query, ...period, operationIds: operationsOf(page) })
  const seats = new Map(taking.map((own) => [own.id, seatOf(own)]))
  const rows = new Map(
    (await rowsOf(db, actor, taking, period)).map((row) => [seatOf({ ...row, pointId: row.id }), row]),
  )
  return { items: page.flatMap(({ id }) => rows.get(seats.get(id) ?? '') ?? []), total: found.length }
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
