import type { MessageDraft, MessageRow, MessageTarget, NewMessage } from '@voisol/contract/messages'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { messages } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { normalizePlainText, requireSingleLine } from '../../../plain-text.ts'
import { buildTextFiller, loadAudience, loadCompanyName, requireAudience } from './audience.ts'
import { buildMessageMail } from './mail.ts'
import { messageScope } from './scope.ts'
import { loadMessageRow } from './view.ts'

const YEAR_MS = 366 * 86_400_000

/** Previews the message for its first recipient; nothing is stored or sent. */
export async function previewMessage(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  actor: Actor,
  { subject, body, to }: z.output<typeof MessageDraft>,
) {
  const readers = await loadAudience(db, actor, to)
  const first = requireAudience(readers)
  const fill = buildTextFiller(actor, await loadCompanyName(db, actor.companyId))
  const words = { subject: fill(subject, first), body: fill(normalizePlainText(body), first) }
  const sample = await buildMessageMail(db, config, actor.companyId, { ...words, hasAccount: first.userId !== null })
  const none = readers.filter(({ email, userId }) => !email && !userId).map(({ name }) => name)
  return { recipients: readers.length, none, name: first.name, sample }
}

const toTargetColumns = (to: MessageTarget) => ({
  audience: to.kind,
  operationId: to.kind === 'operation' ? to.operationId : null,
  tag: to.kind === 'group' ? to.tag : null,
  participantId: to.kind === 'person' ? to.participantId : null,
})

function parseSendTime(sendAt: string | null): Date {
  const at = sendAt ? new Date(sendAt) : new Date()
  if (at.getTime() > Date.now() + YEAR_MS) throw fieldError('sendAt', 'Un an à l’avance au plus.')
  if (sendAt && at.getTime() < Date.now() - 60_000) throw fieldError('sendAt', 'Ce moment est passé.')
  return at
}

/** Stores the message; it is sent at its time to the recipients as of then. */
export async function createMessage(tx: Db, actor: Actor, input: z.output<typeof NewMessage>): Promise<MessageRow> {
  requireAudience(await loadAudience(tx, actor, input.to))
  const sendAt = parseSendTime(input.sendAt)
  const { companyId, userId: authorId } = actor
  const words = { subject: requireSingleLine('subject', input.subject), body: normalizePlainText(input.body) }
  const [row] = await tx
    .insert(messages)
    .values({ companyId, ...words, ...toTargetColumns(input.to), authorId, author: formatActorName(actor), sendAt })
    .returning()
  if (!row) throw new AppError('internal')
  const after = Math.max(0, Math.ceil((sendAt.getTime() - Date.now()) / 1000))
  const job = { companyId, messageId: row.id }
  await enqueue(tx, 'messages.send', job, { id: toStableId(`message ${companyId} ${row.id}`), ...(after && { after }) })
  return loadMessageRow(tx, actor, row.id)
}

export async function cancelMessage(tx: Db, actor: Actor, id: string, { version }: { version: number }) {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(messageScope(actor), eq(messages.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  if (row.state !== 'scheduled')
    throw new AppError('invalid-transition', {
      message: 'Ce message n’attend plus\u00a0: il ne peut plus être annulé.',
    })
  await tx
    .update(messages)
    .set({ state: 'cancelled', version: version + 1 })
    .where(and(eq(messages.companyId, row.companyId), eq(messages.id, id)))
  return loadMessageRow(tx, actor, id)
}
