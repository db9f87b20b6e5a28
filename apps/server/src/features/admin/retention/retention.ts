import { createHash } from 'node:crypto'
import type {
  Retention,
  RetentionCounts,
  RetentionMonths,
  RetentionRun,
  RetentionUpdate,
} from '@voisol/contract/retention'
import { formatMonths, RETENTION_KINDS, RETENTION_RULES, type RetentionKind } from '@voisol/contract/retention-kinds'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, desc, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { loadFirstRetainedDay, lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { datedSettings, retentionRuns } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'

type Row = typeof retentionRuns.$inferSelect
const MAX_LISTED_PASSES = 12

const toRetentionRun = ({ id, stage, counts, createdAt, finishedAt, confirmedAt, confirmedBy }: Row): RetentionRun => ({
  id,
  stage,
  counts,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  confirmedAt: confirmedAt?.toISOString() ?? null,
  confirmedBy,
})

/** The durations in force, and whether their deletions have been confirmed. */
export async function loadEffectiveRetention(db: Db, companyId: number) {
  const said = await listRetentionSettings(db, companyId, getToday())
  const months = getEffectiveMonths(said)
  const seal = computeDurationsSeal(months)
  return { said, months, seal, confirmed: await isConfirmed(db, companyId, seal) }
}

const findLatestPreview = async (db: Db, companyId: number, seal: string): Promise<Row | undefined> =>
  (
    await db
      .select()
      .from(retentionRuns)
      .where(
        and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.stage, 'preview'), eq(retentionRuns.seal, seal)),
      )
      .orderBy(desc(retentionRuns.createdAt), desc(retentionRuns.id))
      .limit(1)
  )[0]

/** A confirmation is valid until a duration changes: the latest one must be for the current durations. */
async function isConfirmed(db: Db, companyId: number, seal: string): Promise<boolean> {
  const [last] = await db
    .select({ seal: retentionRuns.seal })
    .from(retentionRuns)
    .where(and(eq(retentionRuns.companyId, companyId), isNotNull(retentionRuns.confirmedAt)))
    .orderBy(desc(retentionRuns.confirmedAt))
    .limit(1)
  return last?.seal === seal
}

export async function loadRetention(db: Db, companyId: number): Promise<Retention> {
  const { said, months, seal, confirmed } = await loadEffectiveRetention(db, companyId)
  const preview = await findLatestPreview(db, companyId, seal)
  const passes = await db
    .select()
    .from(retentionRuns)
    .where(and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.stage, 'pass')))
    .orderBy(desc(retentionRuns.createdAt))
    .limit(MAX_LISTED_PASSES)
  return {
    said,
    months,
    seal,
    confirmed,
    preview: preview ? toRetentionRun(preview) : null,
    passes: passes.map(toRetentionRun),
  }
}

const buildStaleError = () =>
  new AppError('conflict', { message: 'Les durées ont changé entre-temps\u00a0: relisez-les avant de décider.' })

export async function saveRetentionDurations(tx: Db, actor: Actor, input: z.output<typeof RetentionUpdate>) {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  const before = await loadEffectiveRetention(tx, companyId)
  if (before.seal !== input.seal) throw buildStaleError()
  const changed = RETENTION_KINDS.filter((kind) => input.months[kind] !== before.months[kind])
  const setting = { companyId, startsOn: getToday(), source: input.reason, createdBy: formatActorName(actor) }
  if (changed.length)
    await tx
      .insert(datedSettings)
      .values(changed.map((kind) => ({ ...setting, name: `retention.${kind}`, value: input.months[kind] })))
  return changed.map(
    (kind) =>
      `${RETENTION_RULES[kind].label}\u00a0: ${formatMonths(before.months[kind])} → ${formatMonths(input.months[kind])}`,
  )
}

/** Counts by kind and month what would be deleted. Deletes nothing. */
export async function createRetentionPreview(tx: Db, companyId: number): Promise<RetentionCounts> {
  const { months, seal } = await loadEffectiveRetention(tx, companyId)
  const counts: RetentionCounts = {}
  for (const kind of RETENTION_KINDS)
    counts[kind] = await countOldRows(tx, companyId, kind, getFirstKeptDay(kind, months, getToday()))
  const at = new Date()
  await tx
    .insert(retentionRuns)
    .values({ companyId, stage: 'preview', months, seal, counts, createdAt: at, finishedAt: at })
  return counts
}

/** Confirms a preview: from now on the nightly run deletes, until a duration changes. */
export async function confirmRetentionPreview(
  tx: Db,
  actor: Actor,
  input: { id: string; seal: string },
): Promise<void> {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  const { seal } = await loadEffectiveRetention(tx, companyId)
  if (seal !== input.seal || (await findLatestPreview(tx, companyId, seal))?.id !== input.id) throw buildStaleError()
  await tx
    .update(retentionRuns)
    .set({ confirmedAt: new Date(), confirmedBy: formatActorName(actor) })
    .where(and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.id, input.id)))
  await enqueue(tx, 'retention.pass', { companyId }, { once: String(companyId) })
}

const SETTING_PREFIX = 'retention.'
const clampMonths = (kind: RetentionKind, months: number) =>
  Math.min(RETENTION_RULES[kind].most, Math.max(RETENTION_RULES[kind].least, months))

type RetentionSettings = Retention['said']

/** The retention settings of a company, latest first. */
async function listRetentionSettings(db: Db, companyId: number, today: string): Promise<RetentionSettings> {
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

/** The rows of a kind that are older than the first kept day; `month` is the expression by which they are counted. */
type OldRowsQuery = (companyId: number, before: string) => { from: SQL; month: SQL }

const toParisDayStart = (before: string) => sql`(${before}::date::timestamp at time zone 'Europe/Paris')`

export const OLD_ROWS: Record<Exclude<RetentionKind, 'curves'>, OldRowsQuery> = {
  imports: (companyId, before) => ({
    from: sql`curve_imports r where r.company_id = ${companyId} and r.finished_at < ${toParisDayStart(before)}`,
    month: sql`r.finished_at`,
  }),
  consents: (companyId, before) => ({
    from: sql`consents r where r.company_id = ${companyId}
      and least(r.withdrawn_at, ${sql.raw('r.expires_on')}::timestamptz) < ${toParisDayStart(before)}`,
    month: sql`least(r.withdrawn_at, r.expires_on::timestamptz)`,
  }),
  tickets: (companyId, before) => ({
    from: sql`tickets r where r.company_id = ${companyId} and r.state in ('solved', 'closed')
      and r.last_message_at < ${toParisDayStart(before)}`,
    month: sql`r.last_message_at`,
  }),
  notifications: (companyId, before) => ({
    from: sql`notifications r where r.company_id = ${companyId} and r.created_at < ${toParisDayStart(before)}`,
    month: sql`r.created_at`,
  }),
  // Only the first entries without a gap, so that the hash chain stays valid: an entry with an earlier clock time keeps
  // those after it.
  audit: (companyId, before) => ({
    from: sql`audit_entries r where r.company_id = ${companyId} and r.at < ${toParisDayStart(before)} and r.seq < (
      select coalesce(min(seq), 9223372036854775807) from audit_entries
       where company_id = ${companyId} and at >= ${toParisDayStart(before)})`,
    month: sql`r.at`,
  }),
}

async function buildOldCurvesQuery(db: Db, companyId: number, before: string): Promise<{ from: SQL; month: SQL }> {
  const done = (await loadFirstRetainedDay(db, companyId)) ?? '1970-01-01'
  return {
    from: sql`curve_days r where r.company_id = ${companyId} and r.day >= ${done} and r.day < ${before}`,
    month: sql`r.day`,
  }
}

/** Number of rows of a kind that have passed their retention period, by month. */
async function countOldRows(db: Db, companyId: number, kind: RetentionKind, before: string) {
  const { from, month } =
    kind === 'curves' ? await buildOldCurvesQuery(db, companyId, before) : OLD_ROWS[kind](companyId, before)
  const { rows } = await db.execute<{ month: string; n: number }>(
    sql`select to_char(${month}, 'YYYY-MM') as month, count(*)::int as n from ${from} group by 1 order by 1`,
  )
  return {
    count: rows.reduce((sum, { n }) => sum + n, 0),
    months: Object.fromEntries(rows.map((row) => [row.month, row.n])),
  }
}
