import type { SavedView, ViewDraft } from '@voisol/contract/analytics'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { withinLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { operations, savedViews, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'

type Draft = z.output<typeof ViewDraft>
type Row = typeof savedViews.$inferSelect
const MOST = 200

/** A person's own: a key works for them, and has none to change. */
const mine = (actor: Actor) =>
  and(
    eq(savedViews.companyId, actor.companyId),
    eq(savedViews.createdBy, actor.userId),
    sql`${actor.kind === 'person'}`,
  )
/** Whether it opens on an operation that the actor does not see. */
const isBeyond = (actor: Actor) => sql`exists (select 1 from ${operations}
  where ${operations.companyId} = ${savedViews.companyId} and position(${operations.id}::text in ${savedViews.search}) > 0
    and not ${withinLimit(actor, operations.id) ?? sql`true`})`
/** One's own, and what others of the company share; a key has none of its own, and nobody what their limit leaves out. */
const viewScope = (actor: Actor) =>
  and(
    eq(savedViews.companyId, actor.companyId),
    or(mine(actor), savedViews.shared),
    actor.operationIds ? sql`not ${isBeyond(actor)}` : undefined,
  )

const select = (db: Db, where: ReturnType<typeof and>) =>
  db
    .select({ row: savedViews, author: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})` })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.createdBy))
    .where(where)
    .orderBy(asc(sql`fold(${savedViews.name})`), asc(savedViews.id))
    .limit(MOST)

const toView = (actor: Actor, row: Row, author: string | null): SavedView => ({
  id: row.id,
  name: row.name,
  search: row.search,
  shared: row.shared,
  mine: row.createdBy === actor.userId,
  author: author ?? '',
  createdAt: row.createdAt.toISOString(),
  version: row.version,
})

export const listViews = async (db: Db, actor: Actor): Promise<SavedView[]> =>
  (await select(db, viewScope(actor))).map(({ row, author }) => toView(actor, row, author))

/** One that was just written. */
async function oneView(db: Db, actor: Actor, id: string): Promise<SavedView> {
  const [found] = await select(db, and(eq(savedViews.companyId, actor.companyId), eq(savedViews.id, id)))
  if (!found) throw new AppError('not-found')
  return toView(actor, found.row, found.author)
}

type Change = 'view.saved' | 'view.changed' | 'view.removed'
const tell = (tx: Db, { companyId, userId }: Actor, name: Change, { id, shared }: SavedView) =>
  record(tx, { companyId, name, object: id, data: { viewId: id, userId, shared } })

export async function saveView(tx: Db, actor: Actor, draft: Draft): Promise<SavedView> {
  const { companyId, userId } = actor
  const [row] = await tx
    .insert(savedViews)
    .values({ companyId, createdBy: userId, ...draft })
    .returning({ id: savedViews.id })
  const view = await oneView(tx, actor, row?.id ?? '')
  await tell(tx, actor, 'view.saved', view)
  return view
}

/** Who saved it changes it; what others share is theirs. */
async function lockView(tx: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await tx
    .select()
    .from(savedViews)
    .where(and(mine(actor), eq(savedViews.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateView(tx: Db, actor: Actor, id: string, { version, ...draft }: Draft & { version: number }) {
  const row = await lockView(tx, actor, id)
  requireVersion(row, { ...draft, version })
  const before = toView(actor, row, null)
  await tx
    .update(savedViews)
    .set({ ...draft, version: version + 1 })
    .where(and(mine(actor), eq(savedViews.id, id)))
  const after = await oneView(tx, actor, id)
  await tell(tx, actor, 'view.changed', after)
  return { before, after }
}

export async function removeView(tx: Db, actor: Actor, id: string): Promise<SavedView> {
  const view = toView(actor, await lockView(tx, actor, id), null)
  await tx.delete(savedViews).where(and(mine(actor), eq(savedViews.id, id)))
  await tell(tx, actor, 'view.removed', view)
  return view
}
