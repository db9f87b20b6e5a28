import type { Db } from '../../../db/client.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { buildTextFiller, loadAudience, loadCompanyName } from './send-messages.ts'

type SeedMessage = { subject: string; body: string; operationId: string; sendAt: Date; sent: boolean }

/** Creates a past message with its recipients' opening times; no mail is sent. */
export async function seedMessage(tx: Db, actor: Actor, { operationId, sent, ...words }: SeedMessage): Promise<void> {
  const { companyId, userId: authorId } = actor
  const { sendAt } = words
  const state = sent ? ({ state: 'sent', sentAt: sendAt } as const) : ({ state: 'scheduled' } as const)
  const [row] = await tx
    .insert(messages)
    .values({
      companyId,
      ...words,
      audience: 'operation',
      operationId,
      authorId,
      author: formatActorName(actor),
      ...state,
    })
    .returning()
  if (!row || !sent) return
  const fill = buildTextFiller(actor, await loadCompanyName(tx, companyId))
  const readers = await loadAudience(tx, actor, { kind: 'operation', operationId })
  for (const [at, reader] of readers.entries()) {
    const { id: participantId, userId, email } = reader
    // Every other recipient with an account opened it, an hour and some minutes later.
    const openedAt = userId && at % 2 === 0 ? new Date(sendAt.getTime() + (63 + at * 7) * 60_000) : null
    await tx.insert(messageRecipients).values({
      companyId,
      messageId: row.id,
      participantId,
      userId,
      subject: fill(words.subject, reader),
      body: fill(words.body, reader),
      email,
      state: email ? 'delivered' : userId ? 'portal' : 'none',
      openedAt,
      createdAt: sendAt,
    })
  }
}
