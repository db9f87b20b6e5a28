import { HOLD_WORDS, type Hold, type HoldKind, type NewHold } from '@voisol/contract/reminders'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { invoices, participants, reminderHolds, sellers } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { euros } from '../../../papers/decimals.ts'
import { today } from '../../../today.ts'
import { invoiceScope, openOfAccount, readAccounts } from '../invoices/invoices.ts'
import { accountKey, type HoldRow } from './facts.ts'
import { paidSince, partsOf, stopOf } from './hold-state.ts'

type New = z.output<typeof NewHold>

/** Of accounts on which the actor sees a document. */
const inScope = async (db: Db, actor: Actor) => {
  const rows = await db
    .selectDistinct({ sellerId: invoices.sellerId, buyerId: invoices.buyerId })
    .from(invoices)
    .where(invoiceScope(actor))
  return new Set(rows.map(accountKey))
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
  const seen = await inScope(db, actor)
  const accounts = new Map((await readAccounts(db, companyId)).map((account) => [accountKey(account.pair), account]))
  const day = today()
  return rows
    .filter(({ row }) => seen.has(accountKey(row)))
    .map(({ row, seller, buyer, number }) => {
      const account = accounts.get(accountKey(row))
      const paid = account ? paidSince(account, row.startsOn) : 0
      return toHold(row, { seller, buyer, number: number ?? '', paid, day })
    })
}

type Beside = { seller: string; buyer: string; number: string; paid: number; day: string }
const toHold = (row: HoldRow, { seller, buyer, number, paid, day }: Beside): Hold => ({
  id: row.id,
  seller: { id: row.sellerId, name: seller },
  buyer: { id: row.buyerId, name: buyer },
  kind: row.kind as HoldKind, // the column holds only these
  invoiceNumber: number,
  reason: row.reason,
  startsOn: row.startsOn,
  until: row.until,
  parts: partsOf(row, paid, day),
  holds: stopOf(row, paid, day) !== '',
  closedOn: row.closedOn,
  resolution: row.resolution,
  by: row.createdBy,
  version: row.version,
})

async function one(db: Db, actor: Actor, id: string): Promise<Hold> {
  const found = (await listHolds(db, actor, {})).find((hold) => hold.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** A schedule pays what is owed, no more and no less, on days to come and in order. */
async function checkSchedule(tx: Db, companyId: number, body: Extract<New, { kind: 'schedule' }>) {
  const pair = { sellerId: body.sellerId, buyerId: body.buyerId, clientSellerId: null }
  const [account] = await readAccounts(tx, companyId, { pair })
  const open = account ? openOfAccount(account) : new Map<string, number>()
  const owed = (account?.entries ?? []).reduce(
    (sum, { id, side }) => sum + (side === 'debit' ? (open.get(id) ?? 0) : 0),
    0,
  )
  const sum = body.parts.reduce((total, { amount }) => total + amount, 0)
  if (sum > owed)
    throw fieldError(
      'parts',
      `L’échéancier fait ${euros(sum)}, mais ${euros(owed)} sont dus\u00a0: attendu, ${euros(owed)} au plus.`,
    )
  const days = body.parts.map(({ on }) => on)
  if (days.some((day, at) => day < today() || (at > 0 && day <= (days[at - 1] ?? ''))))
    throw fieldError(
      'parts',
      'Les échéances sont attendues dans l’ordre, à partir d’aujourd’hui, une par jour au plus.',
    )
}

/** What is disputed is a document of the account, which the actor sees. */
async function requireOfAccount(
  tx: Db,
  actor: Actor,
  { invoiceId, sellerId, buyerId }: Extract<New, { kind: 'dispute' }>,
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

export async function openHold(tx: Db, actor: Actor, body: New): Promise<Hold> {
  const { companyId } = actor
  if (!(await inScope(tx, actor)).has(accountKey(body))) throw new AppError('not-found')
  if (body.kind === 'schedule') await checkSchedule(tx, companyId, body)
  if (body.kind === 'dispute') await requireOfAccount(tx, actor, body)
  if (body.kind === 'promise' && body.until < today())
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
      message: `${HOLD_WORDS[body.kind]} déjà en cours sur ce compte\u00a0: terminez-la d’abord.`,
    })
  const id = crypto.randomUUID()
  await tx.insert(reminderHolds).values({ companyId, id, ...body, startsOn: today(), createdBy: nameOfActor(actor) })
  return one(tx, actor, id)
}

export async function closeHold(
  tx: Db,
  actor: Actor,
  id: string,
  { resolution, version }: { resolution: string; version: number },
) {
  const before = await one(tx, actor, id)
  const where = and(eq(reminderHolds.companyId, actor.companyId), eq(reminderHolds.id, id))
  const [row] = await tx.select().from(reminderHolds).where(where).for('update')
  if (!row) throw new AppError('not-found')
  requireVersion(row, { version })
  if (row.closedOn !== null) throw new AppError('conflict', { message: 'C’est déjà clos.' })
  await tx
    .update(reminderHolds)
    .set({ closedOn: today(), closedBy: nameOfActor(actor), resolution, version: version + 1 })
    .where(where)
  return { before, after: await one(tx, actor, id) }
}
