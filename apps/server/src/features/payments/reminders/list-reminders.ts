import { type DueAccount, FORMAL_NOTICE_LEVEL, type ReminderRow } from '@voisol/contract/reminders'
import { isWorkingDay } from '@voisol/money/working-days'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { invoices, participants, reminders, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { invoiceScope } from '../../billing/invoices/index.ts'
import { getAccountKey, loadDueAccounts } from './due-accounts.ts'

const loadVisibleAccountKeys = async (db: Db, actor: Actor) => {
  const rows = await db
    .selectDistinct({ sellerId: invoices.sellerId, buyerId: invoices.buyerId })
    .from(invoices)
    .where(invoiceScope(actor))
  return new Set(rows.map(getAccountKey))
}

export const canSeeAccount = async (db: Db, actor: Actor, which: { sellerId: string; buyerId: string }) =>
  (await loadVisibleAccountKeys(db, actor)).has(getAccountKey(which))

/** Accounts to remind today, among those the actor may read. */
export async function loadDueToday(db: Db, actor: Actor) {
  const day = getToday()
  const seen = await loadVisibleAccountKeys(db, actor)
  const items = (await loadDueAccounts(db, actor.companyId, day)).filter(({ seller, buyer }) =>
    seen.has(getAccountKey({ sellerId: seller.id, buyerId: buyer.id })),
  )
  const count = (matchesFilter: (one: DueAccount) => boolean) => items.filter(matchesFilter).length
  const totals = {
    overdue: items.reduce((sum, { overdue }) => sum + overdue, 0),
    due: count(({ level }) => level !== null),
    stopped: count(({ stopped }) => stopped !== ''),
  }
  return { day, working: isWorkingDay(day), items, totals }
}

/** For the to-do list: how many reminders are due, and how many of them need a person. */
export async function countRemindersToSend(db: Db, actor: Actor) {
  const { items, totals } = await loadDueToday(db, actor)
  return {
    due: totals.due,
    overdue: totals.overdue,
    formal: items.filter(({ level }) => (level ?? 0) >= FORMAL_NOTICE_LEVEL).length,
  }
}

const reminderScope = (actor: Actor): SQL | undefined =>
  and(
    eq(reminders.companyId, actor.companyId),
    actor.operationIds
      ? sql`exists (select 1 from invoices i where i.company_id = reminders.company_id
          and i.seller_id = reminders.seller_id and i.buyer_id = reminders.buyer_id
          and i.operation_id = any(${sql.param([...actor.operationIds])}::uuid[]))`
      : undefined,
  )

type ReminderListQuery = { buyerId?: string | undefined; q?: string | undefined; page: number; size: number }

export async function listReminders(db: Db, actor: Actor, query: ReminderListQuery) {
  const { limit, offset } = toLimitOffset(query)
  const where = and(
    reminderScope(actor),
    query.buyerId ? eq(reminders.buyerId, query.buyerId) : undefined,
    matchesSearchWords(query.q, [participants.name, sellers.name]),
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

/** Whether the actor may open a reminder. */
export const canSeeReminder = async (db: Db, actor: Actor, id: string) =>
  (await db.$count(reminders, and(reminderScope(actor), eq(reminders.id, id)))) > 0
