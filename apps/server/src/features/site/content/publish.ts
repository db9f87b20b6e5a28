import type { ContentRecord, ContentVersion } from '@voisol/contract/content'
import { and, eq, lte } from 'drizzle-orm'
import type { z } from 'zod'
import { type Happening, record } from '../../../core/events.ts'
import { siteCompany } from '../../../core/site-company.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireMove, withdrawn } from './life-cycle.ts'
import { asContent, type Content, getRecord, lockContent, ofSite, one, who } from './rows.ts'
import { requireLatest, requirePublishable } from './rules.ts'
import { appendVersion } from './versions.ts'

type Event = z.infer<typeof ContentVersion>['event']
type Change = Partial<Pick<typeof contents.$inferInsert, 'status' | 'live' | 'liveAt' | 'publishAt' | 'publishedAt'>>
/** How a scheduled publication is signed. */
const CLOCK = 'Publication programmée'

async function move({ id, draft, version }: Content, tx: Db, by: string, event: Event, change: Change) {
  const number = version + 1
  await tx
    .update(contents)
    .set({ ...change, version: number, updatedAt: new Date(), updatedBy: by })
    .where(one(id))
  await appendVersion(tx, { contentId: id, number, event, draft, savedBy: by })
}

const tell = async (tx: Db, name: 'content.published' | 'content.unpublished', id: string, by?: Happening['by']) =>
  record(tx, { companyId: await siteCompany(tx), name, object: id, data: { contentIds: [id] }, ...(by && { by }) })

async function show(content: Content, tx: Db, by: string, since: Date) {
  await move(content, tx, by, 'published', {
    status: 'published',
    live: content.draft,
    liveAt: new Date(),
    publishAt: null,
    publishedAt: content.publishedAt ?? since,
  })
}

type Publish = { version: number; at: string | null }

/** Shown at once, or with an instant to come from then on. */
export async function publishContent(tx: Db, actor: Actor, id: string, wanted: Publish): Promise<ContentRecord> {
  const content = await lockContent(tx, id)
  requireLatest(content, wanted)
  const at = wanted.at && Date.parse(wanted.at) > Date.now() ? new Date(wanted.at) : undefined
  requireMove(content.status, at ? 'scheduled' : 'published')
  await requirePublishable(tx, content.kind, content.draft)
  if (at) await move(content, tx, who(actor), 'scheduled', { status: 'scheduled', publishAt: at })
  else {
    await show(content, tx, who(actor), new Date())
    await tell(tx, 'content.published', id)
  }
  return getRecord(tx, id)
}

export async function unpublishContent(tx: Db, actor: Actor, id: string, wanted: { version: number }) {
  const content = await lockContent(tx, id)
  requireLatest(content, wanted)
  const status = withdrawn(content.status)
  requireMove(content.status, status)
  await move(content, tx, who(actor), 'unpublished', { status, live: null, liveAt: null, publishAt: null })
  if (content.status === 'published') await tell(tx, 'content.unpublished', id)
  return getRecord(tx, id)
}

const due = () => and(ofSite, eq(contents.status, 'scheduled'), lte(contents.publishAt, new Date()))

/** Publishes what its time has come for; one that another process holds is left to it. */
export async function publishDue({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<number> {
  const waiting = await db.select({ id: contents.id }).from(contents).where(due())
  let published = 0
  for (const { id } of waiting)
    await transaction(db, async (tx) => {
      const [row] = await tx
        .select()
        .from(contents)
        .where(and(one(id), due()))
        .for('update', { skipLocked: true })
      if (!row) return
      await show(asContent(row), tx, CLOCK, row.publishAt ?? new Date())
      await tell(tx, 'content.published', id, { job: 'content.publish', secrets })
      published++
    })
  return published
}
