import type { ApplicationDetail } from '@voisol/contract/joining-desk'
import { and, eq } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { joinPages } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { endAppliedParticipation } from './end-stay.ts'
import { enrolApplicant } from './enrol.ts'
import { loadApplicationOperation, loadFirstPossibleDay } from './first-day.ts'
import { type ApplicationRow, moveApplication } from './life-cycle.ts'
import { sendDecisionMail, sendSuccessorMail } from './mails.ts'
import { loadApplication, lockApplication } from './view.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type Decision = { state: 'accepted' | 'refused' | 'withdrawn'; effectiveOn: string | null }

/** Called last, because recording an event locks the event log of the company until the end of the transaction. */
export const recordDecision = (tx: Db, { companyId, id, operationId, kind }: ApplicationRow, done: Decision) =>
  recordEvent(tx, {
    companyId,
    name: 'application.decided',
    object: id,
    data: { applicationId: id, operationId, kind: kind as 'join' | 'leave' | 'move', ...done }, // the contract lets nothing else in
  })

async function requirePossibleDay(tx: Db, row: ApplicationRow, on: string) {
  const first = await loadFirstPossibleDay(tx, row)
  if (on < first)
    throw fieldError(
      'on',
      `Le premier jour possible est le ${formatFrenchDay(first)}\u00a0: le gestionnaire de réseau doit être prévenu avant.`,
    )
}

async function inviteSuccessor(tx: Db, post: MailDeps, row: ApplicationRow, name: string) {
  if (row.kind !== 'move' || !row.successorEmail) return
  const own = and(eq(joinPages.companyId, row.companyId), eq(joinPages.operationId, row.operationId))
  const [page] = await tx.select().from(joinPages).where(own)
  if (page?.isOpen) await sendSuccessorMail(tx, post, row, { name, slug: page.slug })
}

/** Accepts the entry or departure on that day, once even for concurrent calls, because the first one locks the row. */
export async function acceptApplication(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  { on, version }: { on: string; version: number },
): Promise<ApplicationDetail> {
  const row = await lockApplication(tx, actor, id)
  requireCurrentVersion(row, { version })
  const decided = { effectiveOn: on, decidedAt: new Date(), decidedBy: formatActorName(actor) }
  const after = await moveApplication(tx, row, 'accepted', decided)
  await requirePossibleDay(tx, row, on)
  const { name } = await loadApplicationOperation(tx, row)
  if (row.kind === 'join') await enrolApplicant(tx, post, actor, after, on)
  else await endAppliedParticipation(tx, actor, after, on)
  await sendDecisionMail(tx, post, after, { name, on })
  await inviteSuccessor(tx, post, after, name)
  const detail = await loadApplication(tx, actor, id)
  await recordDecision(tx, after, { state: 'accepted', effectiveOn: on })
  return detail
}

export async function refuseApplication(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
): Promise<ApplicationDetail> {
  const row = await lockApplication(tx, actor, id)
  requireCurrentVersion(row, { version })
  const after = await moveApplication(tx, row, 'refused', {
    reason,
    decidedAt: new Date(),
    decidedBy: formatActorName(actor),
  })
  const { name } = await loadApplicationOperation(tx, row)
  await sendDecisionMail(tx, post, after, { name, reason })
  const detail = await loadApplication(tx, actor, id)
  await recordDecision(tx, after, { state: 'refused', effectiveOn: null })
  return detail
}
