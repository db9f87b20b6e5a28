import type { SavedView, ViewDraft } from '@voisol/contract/analytics'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { operations, savedViews, users } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

type ViewDraftInput = z.output<typeof ViewDraft>
type SavedViewRow = typeof savedViews.$inferSelect
const MAX_LISTED_VIEWS = 200

/** The views of a person; an API key has none to change. */
const isOwnView = (actor: Actor) =>
  and(
    eq(savedViews.companyId, actor.companyId),
    eq(savedViews.createdBy, actor.userId),
    sql`${actor.kind === 'person'}`,
  )
/** Whether a view opens an operation that the actor may not read. */
const opensOnHiddenOperation = (actor: Actor) => sql`exists (select 1 from ${operations}
  where ${operations.companyId} = ${savedViews.companyId} and position(${operations.id}::text in ${savedViews.search}) > 0
    and not ${withinOperationLimit(actor, operations.id) ?? sql`true`})`
/**
 * One's own views and shared ones of the company, without those on hidden operations; an API key has none of its own.
 */
const viewScope = (actor: Actor) =>
  and(
    eq(savedViews.companyId, actor.companyId),
    or(isOwnView(actor), savedViews.shared),
    actor.operationIds ? sql`not ${opensOnHiddenOperation(actor)}` : undefined,
  )

const selectViews = (db: Db, where: ReturnType<typeof and>) =>
  db
    .select({ row: savedViews, author: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})` })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.createdBy))
    .where(where)
    .orderBy(asc(sql`fold(${savedViews.name})`), asc(savedViews.id))
    .limit(MAX_LISTED_VIEWS)

const toSavedView = (actor: Actor, row: SavedViewRow, author: string | null): SavedView => ({
  id: row.id,
  name: row.name,
  search: row.search,
  shared: row.shared,
  mine: row.createdBy === actor.userId,
  author: author ?? '',
  createdAt: row.createdAt.toISOString(),
  version: row.version,
})

export const listSavedViews = async (db: Db, actor: Actor): Promise<SavedView[]> =>
  (await selectViews(db, viewScope(actor))).map(({ row, author }) => toSavedView(actor, row, author))

/** Loads a view that was just written. */
async function loadSavedView(db: Db, actor: Actor, id: string): Promise<SavedView> {
  const [viewRow] = await selectViews(db, and(eq(savedViews.companyId, actor.companyId), eq(savedViews.id, id)))
  if (!viewRow) throw new AppError('not-found')
  return toSavedView(actor, viewRow.row, viewRow.author)
}

type ViewEventName = 'view.saved' | 'view.changed' | 'view.removed'
const recordViewEvent = (tx: Db, { companyId, userId }: Actor, name: ViewEventName, { id, shared }: SavedView) =>
  recordEvent(tx, { companyId, name, object: id, data: { viewId: id, userId, shared } })

export async function saveView(tx: Db, actor: Actor, draft: ViewDraftInput): Promise<SavedView> {
  const { companyId, userId } = actor
  const [row] = await tx
    .insert(savedViews)
    .values({ companyId, createdBy: userId, ...draft })
    .returning({ id: savedViews.id })
  const view = await loadSavedView(tx, actor, row?.id ?? '')
  await recordViewEvent(tx, actor, 'view.saved', view)
  return view
}

/** Only the author can change a view. */
async function lockSavedView(tx: Db, actor: Actor, id: string): Promise<SavedViewRow> {
  const [row] = await tx
    .select()
    .from(savedViews)
    .where(and(isOwnView(actor), eq(savedViews.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateSavedView(
  tx: Db,
  actor: Actor,
  id: string,
  { version, ...draft }: ViewDraftInput & { version: number },
) {
  const row = await lockSavedView(tx, actor, id)
  requireCurrentVersion(row, { ...draft, version })
  const before = toSavedView(actor, row, null)
  await tx
    .update(savedViews)
    .set({ ...draft, version: version + 1 })
    .where(and(isOwnView(actor), eq(savedViews.id, id)))
  const after = await loadSavedView(tx, actor, id)
  await recordViewEvent(tx, actor, 'view.changed', after)
  return { before, after }
}

export async function removeSavedView(tx: Db, actor: Actor, id: string): Promise<SavedView> {
  const view = toSavedView(actor, await lockSavedView(tx, actor, id), null)
  await tx.delete(savedViews).where(and(isOwnView(actor), eq(savedViews.id, id)))
  await recordViewEvent(tx, actor, 'view.removed', view)
  return view
}
