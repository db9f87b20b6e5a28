import type { CannedReply, NewCanned } from '@voisol/contract/support-desk'
import type { Desk } from '@voisol/contract/support-words'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { cannedReplies } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { plainText } from '../../../plain-text.ts'
import { keeps } from './scope.ts'

const MOST = 100

const toCanned = ({ id, desk, name, body, version }: typeof cannedReplies.$inferSelect): CannedReply => ({
  id,
  desk,
  name,
  body,
  version,
})
const cannedScope = (actor: Actor) =>
  and(eq(cannedReplies.companyId, actor.companyId), keeps(actor) ? undefined : eq(cannedReplies.desk, 'organiser'))

export async function listCanned(db: Db, actor: Actor, desk: Desk | undefined): Promise<CannedReply[]> {
  const rows = await db
    .select()
    .from(cannedReplies)
    .where(and(cannedScope(actor), desk && eq(cannedReplies.desk, desk)))
    .orderBy(cannedReplies.desk, cannedReplies.name)
  return rows.map(toCanned)
}

async function requireName(tx: Db, actor: Actor, { desk, name }: { desk: Desk; name: string }, besides?: string) {
  if (desk === 'keeper' && !keeps(actor)) throw new AppError('not-found')
  const all = await listCanned(tx, actor, desk)
  if (!besides && all.length >= MOST)
    throw new AppError('conflict', { message: `Un bureau garde au plus ${MOST} réponses types\u00a0: retirez-en une.` })
  if (all.some((one) => one.name === name && one.id !== besides))
    throw fieldError('name', 'Une réponse type porte déjà ce nom.', 'conflict')
}

export async function addCanned(tx: Db, actor: Actor, input: z.output<typeof NewCanned>): Promise<CannedReply> {
  await requireName(tx, actor, input)
  const { desk, name, body } = input
  const [row] = await tx
    .insert(cannedReplies)
    .values({ companyId: actor.companyId, desk, name, body: plainText(body) })
    .returning()
  if (!row) throw new AppError('internal')
  return toCanned(row)
}

async function lockCanned(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select()
    .from(cannedReplies)
    .where(and(cannedScope(actor), eq(cannedReplies.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}
const own = ({ companyId, id }: { companyId: number; id: string }) =>
  and(eq(cannedReplies.companyId, companyId), eq(cannedReplies.id, id))

type Update = z.output<typeof NewCanned> & { version: number }
export async function updateCanned(tx: Db, actor: Actor, id: string, { version, ...input }: Update) {
  const row = await lockCanned(tx, actor, id)
  const before = toCanned(row)
  requireVersion(before, { ...input, version })
  await requireName(tx, actor, input, id)
  const values = { ...input, body: plainText(input.body), version: version + 1 }
  const [after] = await tx.update(cannedReplies).set(values).where(own(row)).returning()
  if (!after) throw new AppError('not-found')
  return { before, after: toCanned(after) }
}

export async function removeCanned(tx: Db, actor: Actor, id: string): Promise<CannedReply> {
  const row = await lockCanned(tx, actor, id)
  await tx.delete(cannedReplies).where(own(row))
  return toCanned(row)
}
