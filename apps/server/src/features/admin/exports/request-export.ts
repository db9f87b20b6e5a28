import { DATA_SET_IDS, DATA_SETS } from '@voisol/contract/data-sets'
import { hasPermission } from '@voisol/contract/permissions'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { dataExports, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { DATA_SET_SOURCES } from './data-set-sources.ts'
import { formatPreviewRows } from './encode-csv-and-json.ts'
import {
  type ExportOrder,
  getFileKind,
  getFileStem,
  getSizeRefusal,
  requireDataSetPermission,
  requireValidFilters,
  toDataSetQuery,
  toExportOrder,
} from './export-order.ts'
import { type ExportRow, exportScope, getExportFileKey, loadExport } from './export-queries.ts'

/** Maximum of open exports per person, so that one person cannot block the queue for others. */
const MAX_OPEN_EXPORTS = 5
const PREVIEW_ROWS = 8

/** The data sets that the user may export, with the meaning of their columns. */
export const listAllowedDataSets = (actor: Actor) =>
  DATA_SET_IDS.filter((id) => hasPermission(actor, DATA_SETS[id].permission)).map((id) => {
    const { label, period, operation, participant } = DATA_SETS[id]
    const { about, columns } = DATA_SET_SOURCES[id]
    return { id, label, about, period, operation, participant, columns }
  })

/** An operation or participant outside the user's scope is answered as not found. */
export async function requireFiltersInScope(
  db: Db,
  actor: Actor,
  order: Pick<ExportOrder, 'operationId' | 'participantId'>,
) {
  if (order.operationId) await requireVisibleOperation(db, actor, order.operationId)
  if (!order.participantId) return
  const [found] = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, order.participantId)))
  if (!found) throw new AppError('not-found')
}

async function checkOrderAndCountRows(db: Db, actor: Actor, order: ExportOrder): Promise<number> {
  requireDataSetPermission(actor, order.dataSet)
  requireValidFilters(order)
  await requireFiltersInScope(db, actor, order)
  return DATA_SET_SOURCES[order.dataSet].count(toDataSetQuery(db, actor, order))
}

/** The first rows and an estimate of the number of rows. */
export async function previewExport(db: Db, actor: Actor, order: ExportOrder) {
  const expected = await checkOrderAndCountRows(db, actor, order)
  const { columns, read } = DATA_SET_SOURCES[order.dataSet]
  for await (const { data } of read(toDataSetQuery(db, actor, order), '')) {
    const rows = formatPreviewRows(columns, data, PREVIEW_ROWS)
    return { columns, rows, expected: Math.max(expected, rows.length), refusal: getSizeRefusal(order.format, expected) }
  }
  return { columns, rows: [], expected: 0, refusal: '' }
}

async function requireExportSlot(tx: Db, actor: Actor) {
  const open = and(exportScope(actor), inArray(dataExports.state, ['waiting', 'running']))
  const [sum] = await tx.select({ n: count() }).from(dataExports).where(open)
  if ((sum?.n ?? 0) >= MAX_OPEN_EXPORTS)
    throw new AppError('conflict', {
      message: `${MAX_OPEN_EXPORTS} exports sont déjà en préparation\u00a0: attendez que l’un d’eux s’achève, ou annulez-le.`,
    })
}

export async function requestExport(tx: Db, actor: Actor, order: ExportOrder): Promise<ExportRow> {
  const expected = await checkOrderAndCountRows(tx, actor, order)
  const refusal = getSizeRefusal(order.format, expected)
  if (refusal) throw fieldError('format', refusal)
  await requireExportSlot(tx, actor)
  const { companyId, userId, keyId } = actor
  const [row] = await tx
    .insert(dataExports)
    .values({
      ...order,
      companyId,
      userId,
      keyId: keyId ?? null,
      askedBy: formatActorName(actor),
      name: `${getFileStem(order)}.${getFileKind(order.format).extension}`,
      within: actor.operationIds ? [...actor.operationIds] : null,
      expected,
    })
    .returning()
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'exports.run', { companyId, id: row.id }, { once: `${companyId} ${row.id}` })
  return row
}

export const repeatExport = async (tx: Db, actor: Actor, id: string) =>
  requestExport(tx, actor, toExportOrder(await loadExport(tx, actor, id)))

/** A running export notices the cancellation when it saves its next part. */
export async function cancelExport(tx: Db, actor: Actor, id: string): Promise<ExportRow> {
  await loadExport(tx, actor, id)
  const [row] = await tx
    .update(dataExports)
    .set({ state: 'cancelled', endedAt: new Date(), version: sql`${dataExports.version} + 1` })
    .where(and(exportScope(actor), eq(dataExports.id, id), inArray(dataExports.state, ['waiting', 'running'])))
    .returning()
  if (!row) throw new AppError('conflict', { message: 'Cet export est achevé\u00a0: il n’y a plus rien à annuler.' })
  return row
}

export async function removeExport(
  tx: Db,
  { files }: Pick<Deps, 'files'>,
  actor: Actor,
  id: string,
): Promise<ExportRow> {
  const row = await loadExport(tx, actor, id)
  if (row.state === 'waiting' || row.state === 'running')
    throw new AppError('conflict', { message: 'Cet export est en préparation\u00a0: annulez-le d’abord.' })
  await tx.delete(dataExports).where(and(exportScope(actor), eq(dataExports.id, id)))
  if (row.fileKey) await files.remove(getExportFileKey(row))
  return row
}
