import type { messages as contract, MessageTemplate } from '@voisol/contract/messages'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { messageTemplates } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { normalizePlainText } from '../../../plain-text.ts'

const MAX_TEMPLATES = 100
const toTemplate = ({ id, name, subject, body, version }: typeof messageTemplates.$inferSelect): MessageTemplate => ({
  id,
  name,
  subject,
  body,
  version,
})
const templateScope = ({ companyId }: Actor) => eq(messageTemplates.companyId, companyId)

export async function listMessageTemplates(db: Db, actor: Actor): Promise<MessageTemplate[]> {
  const rows = await db
    .select()
    .from(messageTemplates)
    .where(templateScope(actor))
    .orderBy(sql`fold(${messageTemplates.name})`)
  return rows.map(toTemplate)
}

/**
 * Templates belong to the whole company: a user limited to some operations can use and add them, but not change them.
 */
const templateChangeScope = (actor: Actor) => and(templateScope(actor), actor.operationIds ? sql`false` : undefined)

/** A template with the same name is replaced. */
export async function saveMessageTemplate(tx: Db, actor: Actor, input: z.output<typeof contract.saveTemplate.body>) {
  const known = await listMessageTemplates(tx, actor)
  if (known.length >= MAX_TEMPLATES && !known.some(({ name }) => name === input.name))
    throw new AppError('conflict', { message: `${MAX_TEMPLATES} modèles au plus\u00a0: retirez-en un.` })
  if (actor.operationIds && known.some(({ name }) => name === input.name))
    throw fieldError('name', 'Un modèle de l’organisation porte déjà ce nom.', 'conflict')
  const words = { subject: input.subject, body: normalizePlainText(input.body) }
  const [row] = await tx
    .insert(messageTemplates)
    .values({ companyId: actor.companyId, name: input.name, ...words })
    .onConflictDoUpdate({
      target: [messageTemplates.companyId, messageTemplates.name],
      set: { ...words, version: sql`${messageTemplates.version} + 1` },
    })
    .returning()
  if (!row) throw new AppError('internal')
  return toTemplate(row)
}

export async function removeMessageTemplate(tx: Db, actor: Actor, id: string): Promise<string> {
  const [row] = await tx
    .delete(messageTemplates)
    .where(and(templateChangeScope(actor), eq(messageTemplates.id, id)))
    .returning()
  if (!row) throw new AppError('not-found')
  return row.name
}
