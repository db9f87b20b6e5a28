import type { LimitsChange } from '@voisol/contract/gateway'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { apiKeys, callBudgets, gatewayLimits } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { ALL_KEYS_OWNER } from '../../../http/gateway/call-quotas.ts'

const MONTH_START = sql`date_trunc('month', now(), 'Europe/Paris')`

async function loadUsedThisMonth(db: Db, companyId: number): Promise<Map<string, number>> {
  const own = and(
    eq(callBudgets.companyId, companyId),
    eq(callBudgets.span, 'month'),
    sql`${callBudgets.at} >= ${MONTH_START}`,
  )
  const rows = await db.select().from(callBudgets).where(own)
  return new Map(rows.map(({ owner, amount }) => [owner, Math.round(amount)]))
}

async function loadCompanyLimits(db: Db, { companyId }: Actor) {
  const [row] = await db.select().from(gatewayLimits).where(eq(gatewayLimits.companyId, companyId))
  const used = await loadUsedThisMonth(db, companyId)
  const { perSecond, perMonth, version } = row ?? { perSecond: null, perMonth: null, version: 0 }
  return { perSecond, perMonth, version, usedThisMonth: used.get(ALL_KEYS_OWNER) ?? 0 }
}

/** The limit of the company for all its keys, and each key with a limit of its own. */
export async function loadGatewayLimits(db: Db, actor: Actor) {
  const { companyId } = actor
  const limited = sql`(${apiKeys.perSecond} is not null or ${apiKeys.perMonth} is not null)`
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.companyId, companyId), isNull(apiKeys.revokedAt), limited))
    .orderBy(sql`fold(${apiKeys.name})`, apiKeys.id)
  const used = await loadUsedThisMonth(db, companyId)
  const keys = rows.map(({ id, name, perSecond, perMonth }) => ({
    id,
    name,
    perSecond,
    perMonth,
    usedThisMonth: used.get(id) ?? 0,
  }))
  return { company: await loadCompanyLimits(db, actor), keys }
}

/** Effective from the next call of any key. */
export async function saveGatewayLimits(tx: Db, actor: Actor, input: z.output<typeof LimitsChange>) {
  const { companyId } = actor
  const { version, ...values } = input
  const before = await loadCompanyLimits(tx, actor)
  const saved = await tx
    .insert(gatewayLimits)
    .values({ companyId, ...values, version: 1 })
    .onConflictDoUpdate({
      target: gatewayLimits.companyId,
      set: { ...values, version: version + 1 },
      setWhere: eq(gatewayLimits.version, version),
    })
    .returning()
  if (before.version !== version || saved.length === 0) throw new AppError('stale')
  return { before, after: await loadCompanyLimits(tx, actor) }
}
