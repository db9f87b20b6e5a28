import { type DueAccount, FORMAL_LEVEL, type ReminderRow } from '@voisol/contract/reminders'
import { isWorkingDay } from '@voisol/money/holidays'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches, pageOf } from '../../../db/list.ts'
import { invoices, participants, reminders, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { invoiceScope } from '../invoices/invoices.ts'
import { dueAccounts } from './due.ts'
import { accountKey } from './facts.ts'

const seenBy = async (db: Db, actor: Actor) => {
  const rows = await db
    .selectDistinct({ sellerId: invoices.sellerId, buyerId: invoices.buyerId })
    .from(invoices)
    .where(invoiceScope(actor))
  return new Set(rows.map(accountKey))
}

export const sees = async (db: Db, actor: Actor, which: { sellerId: string; buyerId: string }) =>
  (await seenBy(db, actor)).has(accountKey(which))

/** Who is to be reminded today, among those the actor sees. */
export async function dueToday(db: Db, actor: Actor) {
  const day = today()
  const seen = await seenBy(db, actor)
  const items = (await dueAccounts(db, actor.companyId, day)).filter(({ seller, buyer }) =>
    seen.has(accountKey({ sellerId: seller.id, buyerId: buyer.id })),
  )
  const count = (wanted: (one: DueAccount) => boolean) => items.filter(wanted).length
  const totals = {
    overdue: items.reduce((sum, { overdue }) => sum + overdue, 0),
    due: count(({ level }) => level !== null),
    stopped: count(({ stopped }) => stopped !== ''),
  }
  return { day, working: isWorkingDay(day), items, totals }
}

/** For whoever says what there is to do: how many are due, how many of them ask for a person. */
export async function remindersToSend(db: Db, actor: Actor) {
  const { items, totals } = await dueToday(db, actor)
  return {
    due: totals.due,
    overdue: totals.overdue,
    formal: items.filter(({ level }) => (level ?? 0) >= FORMAL_LEVEL).length,
  }
}

const mine = (actor: Actor): SQL | undefined =>
  and(
    eq(reminders.companyId, actor.companyId),
    actor.operationIds
      ? sql`exists (select 1 from invoices i where i.company_id = reminders.company_id
          and i.seller_id = reminders.seller_id and i.buyer_id = reminders.buyer_id
          and i.operation_id = any(${sql.param([...actor.operationIds])}::uuid[]))`
      : undefined,
  )

type Query = { buyerId?: string | undefined; q?: string | undefined; page: number; size: number }

export async function listReminders(db: Db, actor: Actor, query: Query) {
  const { limit, offset } = pageOf(query)
  const where = and(
    mine(actor),
    query.buyerId ? eq(reminders.buyerId, query.buyerId) : undefined,
    matches(query.q, [participants.name, sellers.name]),
  )
  const rows = await db
    .select({
      row: reminders,
      seller: sellers.name,
      buyer: participants.name,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(reminders)
    .innerJoin(sellers, and(eq(sellers.companyId, reminders.companyId), eq(sellers.id, reminders.sellerId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, reminders.companyId), eq(participants.id, reminders.buyerId)),
    )
    .where(where)
    .orderBy(desc(reminders.sentOn), desc(reminders.createdAt))
    .limit(limit)
    .offset(offset)
  const items = rows.map(
    ({ row, seller, buyer }): ReminderRow => ({
      id: row.id,
      seller: { id: row.sellerId, name: seller },
      buyer: { id: row.buyerId, name: buyer },
      level: row.level,
      sentOn: row.sentOn,
      open: row.open,
      email: row.email,
      mailedAt: row.mailedAt?.toISOString() ?? null,
      failure: row.failure,
      by: row.createdBy,
    }),
  )
  return { items, total: rows[0]?.total ?? 0 }
}

/** Whether the actor may open one. */
export const isMine = async (db: Db, actor: Actor, id: string) =>
  (await db.$count(reminders, and(mine(actor), eq(reminders.id, id)))) > 0
