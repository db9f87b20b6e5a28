import type { Retention, RetentionCounts, RetentionRun, RetentionUpdate } from '@voisol/contract/retention'
import { RETENTION, RETENTION_KINDS, spanText } from '@voisol/contract/retention-kinds'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/lock-company.ts'
import type { Db } from '../../../db/client.ts'
import { datedSettings, retentionRuns } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { today } from '../../../today.ts'
import { keptFrom, monthsIn, sealOf, wordsOf } from './durations.ts'
import { countOld } from './kinds.ts'

type Row = typeof retentionRuns.$inferSelect
const PASSES = 12

const toRun = ({ id, stage, counts, createdAt, finishedAt, confirmedAt, confirmedBy }: Row): RetentionRun => ({
  id,
  stage,
  counts,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  confirmedAt: confirmedAt?.toISOString() ?? null,
  confirmedBy,
})

/** The durations in force, and whether somebody has said yes to what they remove. */
export async function heldOf(db: Db, companyId: number) {
  const said = await wordsOf(db, companyId, today())
  const months = monthsIn(said)
  const seal = sealOf(months)
  return { said, months, seal, confirmed: await isConfirmed(db, companyId, seal) }
}

const latest = async (db: Db, companyId: number, seal: string): Promise<Row | undefined> =>
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

/** A yes holds until a duration changes: the last one that was given must be to these. */
async function isConfirmed(db: Db, companyId: number, seal: string): Promise<boolean> {
  const [last] = await db
    .select({ seal: retentionRuns.seal })
    .from(retentionRuns)
    .where(and(eq(retentionRuns.companyId, companyId), isNotNull(retentionRuns.confirmedAt)))
    .orderBy(desc(retentionRuns.confirmedAt))
    .limit(1)
  return last?.seal === seal
}

export async function readRetention(db: Db, companyId: number): Promise<Retention> {
  const { said, months, seal, confirmed } = await heldOf(db, companyId)
  const preview = await latest(db, companyId, seal)
  const passes = await db
    .select()
    .from(retentionRuns)
    .where(and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.stage, 'pass')))
    .orderBy(desc(retentionRuns.createdAt))
    .limit(PASSES)
  return { said, months, seal, confirmed, preview: preview ? toRun(preview) : null, passes: passes.map(toRun) }
}

const stale = () =>
  new AppError('conflict', { message: 'Les durées ont changé entre-temps\u00a0: relisez-les avant de décider.' })

export async function saveDurations(tx: Db, actor: Actor, input: z.output<typeof RetentionUpdate>) {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  const before = await heldOf(tx, companyId)
  if (before.seal !== input.seal) throw stale()
  const changed = RETENTION_KINDS.filter((kind) => input.months[kind] !== before.months[kind])
  const word = { companyId, startsOn: today(), source: input.reason, createdBy: nameOfActor(actor) }
  if (changed.length)
    await tx
      .insert(datedSettings)
      .values(changed.map((kind) => ({ ...word, name: `retention.${kind}`, value: input.months[kind] })))
  return changed.map(
    (kind) => `${RETENTION[kind].label}\u00a0: ${spanText(before.months[kind])} → ${spanText(input.months[kind])}`,
  )
}

/** What would go, counted by kind and month. Nothing is touched. */
export async function makePreview(tx: Db, companyId: number): Promise<RetentionCounts> {
  const { months, seal } = await heldOf(tx, companyId)
  const counts: RetentionCounts = {}
  for (const kind of RETENTION_KINDS)
    counts[kind] = await countOld(tx, companyId, kind, keptFrom(kind, months, today()))
  const at = new Date()
  await tx
    .insert(retentionRuns)
    .values({ companyId, stage: 'preview', months, seal, counts, createdAt: at, finishedAt: at })
  return counts
}

/** Somebody has seen what goes: from now on it does, every night, until a duration changes. */
export async function confirmPreview(tx: Db, actor: Actor, input: { id: string; seal: string }): Promise<void> {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  const { seal } = await heldOf(tx, companyId)
  if (seal !== input.seal || (await latest(tx, companyId, seal))?.id !== input.id) throw stale()
  await tx
    .update(retentionRuns)
    .set({ confirmedAt: new Date(), confirmedBy: nameOfActor(actor) })
    .where(and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.id, input.id)))
  await enqueue(tx, 'retention.pass', { companyId }, { once: String(companyId) })
}
