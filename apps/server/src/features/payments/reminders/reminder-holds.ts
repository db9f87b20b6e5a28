import { HOLD_KIND_LABELS, type Hold, type HoldKind, type NewHold } from '@voisol/contract/reminders'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { invoices, participants, reminderHolds, sellers } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { computeAccountOpenAmounts, invoiceScope, loadPairAccounts } from '../../billing/invoices/index.ts'
import { getAccountKey, getScheduleParts, getStopReason, type HoldRow, sumPaidSince } from './due-accounts.ts'

type OpenHoldInput = z.output<typeof NewHold>

/** The accounts with a document that the actor may read. */
const loadVisibleAccountKeys = async (db: Db, actor: Actor) => {
  const rows = await db
    .selectDistinct({ sellerId: invoices.sellerId, buyerId: invoices.buyerId })
    .from(invoices)
    .where(invoiceScope(actor))
  return new Set(rows.map(getAccountKey))
}

export async function listHolds(
  db: Db,
  actor: Actor,
  query: { buyerId?: string | undefined; open?: string | undefined },
): Promise<Hold[]> {
  const { companyId } = actor
  const rows = await db
    .select({ row: reminderHolds, seller: sellers.name, buyer: participants.name, number: invoices.number })
    .from(reminderHolds)
    .innerJoin(sellers, and(eq(sellers.companyId, companyId), eq(sellers.id, reminderHolds.sellerId)))
    .innerJoin(participants, and(eq(participants.companyId, companyId), eq(participants.id, reminderHolds.buyerId)))
    .leftJoin(invoices, and(eq(invoices.companyId, companyId), eq(invoices.id, reminderHolds.invoiceId)))
    .where(
      and(
        eq(reminderHolds.companyId, companyId),
        query.buyerId ? eq(reminderHolds.buyerId, query.buyerId) : undefined,
        query.open === undefined ? undefined : sql`(${reminderHolds.closedOn} is null) = ${query.open === 'true'}`,
      ),
    )
    .orderBy(desc(reminderHolds.createdAt))
  const seen = await loadVisibleAccountKeys(db, actor)
  const accounts = new Map(
    (await loadPairAccounts(db, companyId)).map((account) => [getAccountKey(account.pair), account]),
  )
  const day = getToday()
  return rows
    .filter(({ row }) => seen.has(getAccountKey(row)))
    .map(({ row, seller, buyer, number }) => {
      const account = accounts.get(getAccountKey(row))
      const paid = account ? sumPaidSince(account, row.startsOn) : 0
      return toHold(row, { seller, buyer, number: number ?? '', paid, day })
    })
}

type HoldContext = { seller: string; buyer: string; number: string; paid: number; day: string }
const toHold = (row: HoldRow, { seller, buyer, number, paid, day }: HoldContext): Hold => ({
  id: row.id,
  seller: { id: row.sellerId, name: seller },
  buyer: { id: row.buyerId, name: buyer },
  kind: row.kind as HoldKind, // the column only stores these values
  invoiceNumber: number,
  reason: row.reason,
  startsOn: row.startsOn,
  until: row.until,
  parts: getScheduleParts(row, paid, day),
  holds: getStopReason(row, paid, day) !== '',
  closedOn: row.closedOn,
  resolution: row.resolution,
  by: row.createdBy,
  version: row.version,
})

async function loadHold(db: Db, actor: Actor, id: string): Promise<Hold> {
  const found = (await listHolds(db, actor, {})).find((hold) => hold.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** A schedule must pay exactly what is owed, on future days in order. */
async function requireValidSchedule(tx: Db, companyId: number, body: Extract<OpenHoldInput, { kind: 'schedule' }>) {
  const pair = { sellerId: body.sellerId, buyerId: body.buyerId, clientSellerId: null }
  const [account] = await loadPairAccounts(tx, companyId, { pair })
  const open = account ? computeAccountOpenAmounts(account) : new Map<string, number>()
  const owed = (account?.entries ?? []).reduce(
    (sum, { id, side }) => sum + (side === 'debit' ? (open.get(id) ?? 0) : 0),
    0,
  )
  const sum = body.parts.reduce((total, { amount }) => total + amount, 0)
  if (sum > owed)
    throw fieldError(
      'parts',
      `L’échéancier fait ${formatEuros(sum)}, mais ${formatEuros(owed)} sont dus\u00a0: attendu, ${formatEuros(owed)} au plus.`,
    )
  const days = body.parts.map(({ on }) => on)
  if (days.some((day, at) => day < getToday() || (at > 0 && day <= (days[at - 1] ?? ''))))
    throw fieldError(
      'parts',
      'Les échéances sont attendues dans l’ordre, à partir d’aujourd’hui, une par jour au plus.',
    )
}

/** The disputed document must be one of the account, and readable by the actor. */
async function requireInvoiceOfAccount(
  tx: Db,
  actor: Actor,
  { invoiceId, sellerId, buyerId }: Extract<OpenHoldInput, { kind: 'dispute' }>,
) {
  if (invoiceId === null) return
  const account = and(eq(invoices.sellerId, sellerId), eq(invoices.buyerId, buyerId))
  const found = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.id, invoiceId), account))
  if (!found.length)
    throw fieldError('invoiceId', 'Cette facture n’est pas de ce compte\u00a0: choisissez l’une des siennes.')
}

export async function openHold(tx: Db, actor: Actor, body: OpenHoldInput): Promise<Hold> {
  const { companyId } = actor
  if (!(await loadVisibleAccountKeys(tx, actor)).has(getAccountKey(body))) throw new AppError('not-found')
  if (body.kind === 'schedule') await requireValidSchedule(tx, companyId, body)
  if (body.kind === 'dispute') await requireInvoiceOfAccount(tx, actor, body)
  if (body.kind === 'promise' && body.until < getToday())
    throw fieldError('until', 'Une promesse est pour un jour à venir.')
  const same = await tx
    .select({ id: reminderHolds.id })
    .from(reminderHolds)
    .where(
      and(
        eq(reminderHolds.companyId, companyId),
        eq(reminderHolds.sellerId, body.sellerId),
        eq(reminderHolds.buyerId, body.buyerId),
        eq(reminderHolds.kind, body.kind),
        sql`${reminderHolds.closedOn} is null`,
      ),
    )
  if (same.length && body.kind !== 'dispute')
    throw new AppError('conflict', {
      message: `${HOLD_KIND_LABELS[body.kind]} déjà en cours sur ce compte\u00a0: terminez-la d’abord.`,
    })
  const id = crypto.randomUUID()
  await tx
    .insert(reminderHolds)
    .values({ companyId, id, ...body, startsOn: getToday(), createdBy: formatActorName(actor) })
  return loadHold(tx, actor, id)
}

export async function closeHold(
  tx: Db,
  actor: Actor,
  id: string,
  { resolution, version }: { resolution: string; version: number },
) {
  const before = await loadHold(tx, actor, id)
  const where = and(eq(reminderHolds.companyId, actor.companyId), eq(reminderHolds.id, id))
  const [row] = await tx.select().from(reminderHolds).where(where).for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  if (row.closedOn !== null) throw new AppError('conflict', { message: 'C’est déjà clos.' })
  await tx
    .update(reminderHolds)
    .set({ closedOn: getToday(), closedBy: formatActorName(actor), resolution, version: version + 1 })
    .where(where)
  return { before, after: await loadHold(tx, actor, id) }
}
