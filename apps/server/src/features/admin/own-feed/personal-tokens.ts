import type { NewOwnToken, OwnScope, OwnToken } from '@voisol/contract/own-feed'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { generateApiKey } from '../../../http/api-key.ts'
import { AppError } from '../../../http/errors.ts'
import { sha256 } from '../../../secrets.ts'
import { lockConfirmedAccount } from '../../identity/auth/index.ts'

const MAX_TOKENS = 10
/** A sensor reads every few minutes; the limit stops a faulty one from slowing down others. */
const CALLS_PER_SECOND = 2

/** The tokens that a user created for their own data and that are still valid. */
const ownTokenScope = (actor: Actor) =>
  and(
    eq(apiKeys.companyId, actor.companyId),
    eq(apiKeys.makerId, actor.userId),
    eq(apiKeys.space, 'portal'),
    isNull(apiKeys.revokedAt),
  )

const toOwnToken = (row: typeof apiKeys.$inferSelect): OwnToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.permissions as OwnScope[], // written by createToken alone
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

export async function listPersonalTokens(db: Db, actor: Actor): Promise<OwnToken[]> {
  const rows = await db.select().from(apiKeys).where(ownTokenScope(actor)).orderBy(asc(apiKeys.createdAt), apiKeys.id)
  return rows.map(toOwnToken)
}

const toTokenEventData = ({ id, name, prefix }: OwnToken) => ({ keyId: id, name, prefix })

export async function createPersonalToken(tx: Db, actor: Actor, { name, scopes }: z.output<typeof NewOwnToken>) {
  await lockConfirmedAccount(tx, actor)
  if ((await listPersonalTokens(tx, actor)).length >= MAX_TOKENS)
    throw new AppError('conflict', { message: `Vous avez déjà ${MAX_TOKENS} jetons\u00a0: révoquez-en un d’abord.` })
  const { companyId, userId: makerId } = actor
  const { key, prefix } = generateApiKey(companyId)
  const about = { name, prefix, keyHash: sha256(key), permissions: [...new Set(scopes)], perSecond: CALLS_PER_SECOND }
  const [row] = await tx
    .insert(apiKeys)
    .values({ companyId, makerId, space: 'portal', ...about })
    .returning()
  if (!row) throw new AppError('internal')
  const made = toOwnToken(row)
  await recordEvent(tx, { companyId, name: 'apikey.created', object: made.id, data: toTokenEventData(made) })
  return { ...made, token: key }
}

/** Effective from the next call. */
export async function revokePersonalToken(tx: Db, actor: Actor, id: string): Promise<OwnToken> {
  const [row] = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()`, version: sql`${apiKeys.version} + 1` })
    .where(and(ownTokenScope(actor), eq(apiKeys.id, id)))
    .returning()
  if (!row) throw new AppError('not-found')
  const gone = toOwnToken(row)
  await recordEvent(tx, {
    companyId: actor.companyId,
    name: 'apikey.revoked',
    object: id,
    data: toTokenEventData(gone),
  })
  return gone
}
