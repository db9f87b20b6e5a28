import { DATA_SETS, dataSetIds } from '@voisol/contract/data-sets'
import { can } from '@voisol/contract/permissions'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { dataExports, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { participantScope } from '../../energy/participants/participants.ts'
import { shownRows } from './encode-text.ts'
import { askingOf, fileKind, type Order, refusalOf, requireRight, requireSense, stemOf, toOrder } from './order.ts'
import { exportScope } from './scope.ts'
import { SOURCES } from './table.ts'
import { exportKey, findExport, type Row } from './view.ts'

/** Of one person, at once: the others wait for nobody. */
const MOST_OPEN = 5
const PREVIEWED = 8

/** Those that somebody may export, with what their columns mean. */
export const setsFor = (actor: Actor) =>
  dataSetIds
    .filter((id) => can(actor, DATA_SETS[id].permission))
    .map((id) => {
      const { label, period, operation, participant } = DATA_SETS[id]
      const { about, columns } = SOURCES[id]
      return { id, label, about, period, operation, participant, columns }
    })

/** What is out of reach is not there. */
export async function requireReach(db: Db, actor: Actor, order: Pick<Order, 'operationId' | 'participantId'>) {
  if (order.operationId) await findOperation(db, actor, order.operationId)
  if (!order.participantId) return
  const [found] = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, order.participantId)))
  if (!found) throw new AppError('not-found')
}

async function considered(db: Db, actor: Actor, order: Order): Promise<number> {
  requireRight(actor, order.dataSet)
  requireSense(order)
  await requireReach(db, actor, order)
  return SOURCES[order.dataSet].count(askingOf(db, actor, order))
}

/** The first rows as they would be, and about how many there are. */
export async function preview(db: Db, actor: Actor, order: Order) {
  const expected = await considered(db, actor, order)
  const { columns, read } = SOURCES[order.dataSet]
  for await (const { data } of read(askingOf(db, actor, order), '')) {
    const rows = shownRows(columns, data, PREVIEWED)
    return { columns, rows, expected: Math.max(expected, rows.length), refusal: refusalOf(order.format, expected) }
  }
  return { columns, rows: [], expected: 0, refusal: '' }
}

async function requireRoom(tx: Db, actor: Actor) {
  const open = and(exportScope(actor), inArray(dataExports.state, ['waiting', 'running']))
  const [sum] = await tx.select({ n: count() }).from(dataExports).where(open)
  if ((sum?.n ?? 0) >= MOST_OPEN)
    throw new AppError('conflict', {
      message: `${MOST_OPEN} exports sont déjà en préparation\u00a0: attendez que l’un d’eux s’achève, ou annulez-le.`,
    })
}

export async function askFor(tx: Db, actor: Actor, order: Order): Promise<Row> {
  const expected = await considered(tx, actor, order)
  const refusal = refusalOf(order.format, expected)
  if (refusal) throw fieldError('format', refusal)
  await requireRoom(tx, actor)
  const { companyId, userId, keyId } = actor
  const [row] = await tx
    .insert(dataExports)
    .values({
      ...order,
      companyId,
      userId,
      keyId: keyId ?? null,
      askedBy: nameOfActor(actor),
      name: `${stemOf(order)}.${fileKind(order.format).extension}`,
      within: actor.operationIds ? [...actor.operationIds] : null,
      expected,
    })
    .returning()
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'exports.run', { companyId, id: row.id }, { once: `${companyId} ${row.id}` })
  return row
}

export const askAgain = async (tx: Db, actor: Actor, id: string) =>
  askFor(tx, actor, toOrder(await findExport(tx, actor, id)))

/** The one that writes it notices at its next part. */
export async function cancel(tx: Db, actor: Actor, id: string): Promise<Row> {
  await findExport(tx, actor, id)
  const [row] = await tx
    .update(dataExports)
    .set({ state: 'cancelled', endedAt: new Date(), version: sql`${dataExports.version} + 1` })
    .where(and(exportScope(actor), eq(dataExports.id, id), inArray(dataExports.state, ['waiting', 'running'])))
    .returning()
  if (!row) throw new AppError('conflict', { message: 'Cet export est achevé\u00a0: il n’y a plus rien à annuler.' })
  return row
}

export async function remove(tx: Db, { files }: Pick<Deps, 'files'>, actor: Actor, id: string): Promise<Row> {
  const row = await findExport(tx, actor, id)
  if (row.state === 'waiting' || row.state === 'running')
    throw new AppError('conflict', { message: 'Cet export est en préparation\u00a0: annulez-le d’abord.' })
  await tx.delete(dataExports).where(and(exportScope(actor), eq(dataExports.id, id)))
  if (row.fileKey) await files.remove(exportKey(row))
  return row
}
