import type { CannedReply, NewCannedReply } from '@voisol/contract/support-agents'
import type { SupportTeam } from '@voisol/contract/support-labels'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { cannedReplies } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText } from '../../../plain-text.ts'
import { canManageInstallationSupport } from './ticket-queries.ts'

const MAX_CANNED_REPLIES = 100

const toCannedReply = ({ id, desk, name, body, version }: typeof cannedReplies.$inferSelect): CannedReply => ({
  id,
  desk,
  name,
  body,
  version,
})
const cannedReplyScope = (actor: Actor) =>
  and(
    eq(cannedReplies.companyId, actor.companyId),
    canManageInstallationSupport(actor) ? undefined : eq(cannedReplies.desk, 'organiser'),
  )

export async function listCannedReplies(db: Db, actor: Actor, desk: SupportTeam | undefined): Promise<CannedReply[]> {
  const rows = await db
    .select()
    .from(cannedReplies)
    .where(and(cannedReplyScope(actor), desk && eq(cannedReplies.desk, desk)))
    .orderBy(cannedReplies.desk, cannedReplies.name)
  return rows.map(toCannedReply)
}

async function requireValidCannedReply(
  tx: Db,
  actor: Actor,
  { desk, name }: { desk: SupportTeam; name: string },
  besides?: string,
) {
  if (desk === 'keeper' && !canManageInstallationSupport(actor)) throw new AppError('not-found')
  const all = await listCannedReplies(tx, actor, desk)
  if (!besides && all.length >= MAX_CANNED_REPLIES)
    throw new AppError('conflict', {
      message: `Un bureau garde au plus ${MAX_CANNED_REPLIES} réponses types\u00a0: retirez-en une.`,
    })
  if (all.some((one) => one.name === name && one.id !== besides))
    throw fieldError('name', 'Une réponse type porte déjà ce nom.', 'conflict')
}

export async function createCannedReply(
  tx: Db,
  actor: Actor,
  input: z.output<typeof NewCannedReply>,
): Promise<CannedReply> {
  await requireValidCannedReply(tx, actor, input)
  const { desk, name, body } = input
  const [row] = await tx
    .insert(cannedReplies)
    .values({ companyId: actor.companyId, desk, name, body: normalizePlainText(body) })
    .returning()
  if (!row) throw new AppError('internal')
  return toCannedReply(row)
}

async function lockCannedReply(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select()
    .from(cannedReplies)
    .where(and(cannedReplyScope(actor), eq(cannedReplies.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}
const isCannedReply = ({ companyId, id }: { companyId: number; id: string }) =>
  and(eq(cannedReplies.companyId, companyId), eq(cannedReplies.id, id))

type UpdateCannedReplyInput = z.output<typeof NewCannedReply> & { version: number }
export async function updateCannedReply(
  tx: Db,
  actor: Actor,
  id: string,
  { version, ...input }: UpdateCannedReplyInput,
) {
  const row = await lockCannedReply(tx, actor, id)
  const before = toCannedReply(row)
  requireCurrentVersion(before, { ...input, version })
  await requireValidCannedReply(tx, actor, input, id)
  const values = { ...input, body: normalizePlainText(input.body), version: version + 1 }
  const [after] = await tx.update(cannedReplies).set(values).where(isCannedReply(row)).returning()
  if (!after) throw new AppError('not-found')
  return { before, after: toCannedReply(after) }
}

export async function removeCannedReply(tx: Db, actor: Actor, id: string): Promise<CannedReply> {
  const row = await lockCannedReply(tx, actor, id)
  await tx.delete(cannedReplies).where(isCannedReply(row))
  return toCannedReply(row)
}
