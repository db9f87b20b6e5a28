import type { ApplicationDetail } from '@voisol/contract/joining-desk'
import { and, eq } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { joinPages } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay } from '../../../french.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { endStay } from './end-stay.ts'
import { enrol } from './enrol.ts'
import { firstDayFor, operationOf } from './first-day.ts'
import { type ApplicationRow, move } from './life-cycle.ts'
import { mailDecided, mailSuccessor } from './mails.ts'
import { getApplication, lockApplication } from './view.ts'

type Post = Pick<Deps, 'secrets' | 'config'>
type Done = { state: 'accepted' | 'refused' | 'withdrawn'; effectiveOn: string | null }

/** Told last: whatever happens in the company waits from then on. */
export const tellDecided = (tx: Db, { companyId, id, operationId, kind }: ApplicationRow, done: Done) =>
  record(tx, {
    companyId,
    name: 'application.decided',
    object: id,
    data: { applicationId: id, operationId, kind: kind as 'join' | 'leave' | 'move', ...done }, // the contract lets nothing else in
  })

async function requireDay(tx: Db, row: ApplicationRow, on: string) {
  const first = await firstDayFor(tx, row)
  if (on < first)
    throw fieldError(
      'on',
      `Le premier jour possible est le ${frenchDay(first)}\u00a0: le gestionnaire de réseau doit être prévenu avant.`,
    )
}

async function writeToSuccessor(tx: Db, post: Post, row: ApplicationRow, name: string) {
  if (row.kind !== 'move' || !row.successorEmail) return
  const own = and(eq(joinPages.companyId, row.companyId), eq(joinPages.operationId, row.operationId))
  const [page] = await tx.select().from(joinPages).where(own)
  if (page?.isOpen) await mailSuccessor(tx, post, row, { name, slug: page.slug })
}

/** Comes in, or leaves, on that day: once, however many press at once, since the first one holds the row. */
export async function acceptApplication(
  tx: Db,
  post: Post,
  actor: Actor,
  id: string,
  { on, version }: { on: string; version: number },
): Promise<ApplicationDetail> {
  const row = await lockApplication(tx, actor, id)
  requireVersion(row, { version })
  const decided = { effectiveOn: on, decidedAt: new Date(), decidedBy: nameOfActor(actor) }
  const after = await move(tx, row, 'accepted', decided)
  await requireDay(tx, row, on)
  const { name } = await operationOf(tx, row)
  if (row.kind === 'join') await enrol(tx, post, actor, after, on)
  else await endStay(tx, actor, after, on)
  await mailDecided(tx, post, after, { name, on })
  await writeToSuccessor(tx, post, after, name)
  const detail = await getApplication(tx, actor, id)
  await tellDecided(tx, after, { state: 'accepted', effectiveOn: on })
  return detail
}

export async function refuseApplication(
  tx: Db,
  post: Post,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
): Promise<ApplicationDetail> {
  const row = await lockApplication(tx, actor, id)
  requireVersion(row, { version })
  const after = await move(tx, row, 'refused', { reason, decidedAt: new Date(), decidedBy: nameOfActor(actor) })
  const { name } = await operationOf(tx, row)
  await mailDecided(tx, post, after, { name, reason })
  const detail = await getApplication(tx, actor, id)
  await tellDecided(tx, after, { state: 'refused', effectiveOn: null })
  return detail
}
