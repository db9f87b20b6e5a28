import type { ContentRecord, ContentStatus, ContentVersion } from '@voisol/contract/content'
import { and, eq, lte } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type RecordEventInput, recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { appendVersion, requireLatestVersion, requirePublishable } from './edit-content.ts'
import {
  formatEditorName,
  isContent,
  isSiteContent,
  loadContentRecord,
  lockContentRow,
  type StoredContent,
  toStoredContent,
} from './stored-content.ts'

/** What may follow each state. A scheduled content may get another date, a published one what was written since. */
const NEXT_CONTENT_STATUSES: Record<ContentStatus, readonly ContentStatus[]> = {
  draft: ['scheduled', 'published'],
  scheduled: ['draft', 'published', 'scheduled'],
  published: ['archived', 'published'],
  archived: ['published', 'scheduled'],
}

const REFUSAL_MESSAGES: Partial<Record<ContentStatus, string>> = {
  scheduled:
    'Ce contenu est déjà en ligne\u00a0: publiez ses modifications tout de suite, ou retirez-le du site avant de fixer une date.',
  archived: 'Ce contenu n’est pas en ligne\u00a0: il n’y a rien à retirer.',
  draft: 'Ce contenu n’est ni en ligne ni programmé\u00a0: il n’y a rien à retirer.',
}

function requireContentTransition(from: ContentStatus, to: ContentStatus) {
  if (NEXT_CONTENT_STATUSES[from].includes(to)) return
  const message = REFUSAL_MESSAGES[to]
  throw new AppError('invalid-transition', message ? { message } : {})
}

/** What is taken off the site is archived; what was only planned is a draft again. */
const getWithdrawnStatus = (from: ContentStatus): ContentStatus => (from === 'published' ? 'archived' : 'draft')

type VersionEvent = z.infer<typeof ContentVersion>['event']
type StatusChange = Partial<
  Pick<typeof contents.$inferInsert, 'status' | 'live' | 'liveAt' | 'publishAt' | 'publishedAt'>
>
/** How a scheduled publication is signed. */
const SCHEDULED_AUTHOR = 'Publication programmée'

async function changeStatus(
  { id, draft, version }: StoredContent,
  tx: Db,
  by: string,
  event: VersionEvent,
  change: StatusChange,
) {
  const number = version + 1
  await tx
    .update(contents)
    .set({ ...change, version: number, updatedAt: new Date(), updatedBy: by })
    .where(isContent(id))
  await appendVersion(tx, { contentId: id, number, event, draft, savedBy: by })
}

const recordPublication = async (
  tx: Db,
  name: 'content.published' | 'content.unpublished',
  id: string,
  by?: RecordEventInput['by'],
) =>
  recordEvent(tx, {
    companyId: await loadSiteOwnerId(tx),
    name,
    object: id,
    data: { contentIds: [id] },
    ...(by && { by }),
  })

async function publishNow(content: StoredContent, tx: Db, by: string, since: Date) {
  await changeStatus(content, tx, by, 'published', {
    status: 'published',
    live: content.draft,
    liveAt: new Date(),
    publishAt: null,
    publishedAt: content.publishedAt ?? since,
  })
}

type PublishContentInput = { version: number; at: string | null }

/** Shown at once, or with an instant to come from then on. */
export async function publishContent(
  tx: Db,
  actor: Actor,
  id: string,
  wanted: PublishContentInput,
): Promise<ContentRecord> {
  const content = await lockContentRow(tx, id)
  requireLatestVersion(content, wanted)
  const at = wanted.at && Date.parse(wanted.at) > Date.now() ? new Date(wanted.at) : undefined
  requireContentTransition(content.status, at ? 'scheduled' : 'published')
  await requirePublishable(tx, content.kind, content.draft)
  if (at) await changeStatus(content, tx, formatEditorName(actor), 'scheduled', { status: 'scheduled', publishAt: at })
  else {
    await publishNow(content, tx, formatEditorName(actor), new Date())
    await recordPublication(tx, 'content.published', id)
  }
  return loadContentRecord(tx, id)
}

export async function unpublishContent(tx: Db, actor: Actor, id: string, wanted: { version: number }) {
  const content = await lockContentRow(tx, id)
  requireLatestVersion(content, wanted)
  const status = getWithdrawnStatus(content.status)
  requireContentTransition(content.status, status)
  await changeStatus(content, tx, formatEditorName(actor), 'unpublished', {
    status,
    live: null,
    liveAt: null,
    publishAt: null,
  })
  if (content.status === 'published') await recordPublication(tx, 'content.unpublished', id)
  return loadContentRecord(tx, id)
}

const isDue = () => and(isSiteContent, eq(contents.status, 'scheduled'), lte(contents.publishAt, new Date()))

/** Publishes what its time has come for; one that another process holds is left to it. */
export async function publishDueContents({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<number> {
  const waiting = await db.select({ id: contents.id }).from(contents).where(isDue())
  let published = 0
  for (const { id } of waiting)
    await transaction(db, async (tx) => {
      const [row] = await tx
        .select()
        .from(contents)
        .where(and(isContent(id), isDue()))
        .for('update', { skipLocked: true })
      if (!row) return
      await publishNow(toStoredContent(row), tx, SCHEDULED_AUTHOR, row.publishAt ?? new Date())
      await recordPublication(tx, 'content.published', id, { job: 'content.publish', secrets })
      published++
    })
  return published
}
