import { createHash } from 'node:crypto'
import type { Retention, RetentionMonths } from '@voisol/contract/retention'
import { RETENTION_KINDS, RETENTION_RULES, type RetentionKind } from '@voisol/contract/retention-kinds'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { datedSettings } from '../../../db/schema/index.ts'

const SETTING_PREFIX = 'retention.'
const clampMonths = (kind: RetentionKind, months: number) =>
  Math.min(RETENTION_RULES[kind].most, Math.max(RETENTION_RULES[kind].least, months))

type RetentionSettings = Retention['said']

/** The retention settings of a company, latest first. */
export async function listRetentionSettings(db: Db, companyId: number, today: string): Promise<RetentionSettings> {
  const rows = await db
    .select()
    .from(datedSettings)
    .where(
      and(
        eq(datedSettings.companyId, companyId),
        sql`starts_with(${datedSettings.name}, ${SETTING_PREFIX})`,
        lte(datedSettings.startsOn, today),
      ),
    )
    .orderBy(desc(datedSettings.startsOn), desc(datedSettings.createdAt), desc(datedSettings.id))
  return rows.flatMap(({ name, value, startsOn, createdBy, source }) => {
    const kind = RETENTION_KINDS.find((one) => SETTING_PREFIX + one === name)
    return kind ? [{ kind, months: Number(value), from: startsOn, by: createdBy, reason: source }] : []
  })
}

/**
 * The latest setting of each kind, or the default. Legal limits also apply to settings saved before the law changed.
 */
export const getEffectiveMonths = (settings: RetentionSettings): RetentionMonths =>
  Object.fromEntries(
    RETENTION_KINDS.map((kind) => [
      kind,
      clampMonths(kind, settings.find((setting) => setting.kind === kind)?.months ?? RETENTION_RULES[kind].months),
    ]),
  ) as RetentionMonths // every kind is there

export const computeDurationsSeal = (months: RetentionMonths) =>
  createHash('sha256')
    .update(RETENTION_KINDS.map((kind) => `${kind} ${months[kind]}`).join(';'))
    .digest('hex')

/**
 * The first day that is kept. Curves are deleted by whole months, because only their monthly and daily totals remain.
 */
export function getFirstKeptDay(kind: RetentionKind, months: RetentionMonths, today: string): string {
  const day = addMonths(today, -months[kind])
  return kind === 'curves' ? monthOf(day) : day
}
