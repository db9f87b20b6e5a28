import type { Retention, RetentionCounts, RetentionRun, RetentionUpdate } from '@voisol/contract/retention'
import { formatMonths, RETENTION_KINDS, RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/lock-company.ts'
import type { Db } from '../../../db/client.ts'
import { datedSettings, retentionRuns } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { computeDurationsSeal, getEffectiveMonths, getFirstKeptDay, listRetentionSettings } from './durations.ts'
import { countOldRows } from './kinds.ts'

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
