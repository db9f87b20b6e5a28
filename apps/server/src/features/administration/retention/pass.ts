import type { RetentionCounts } from '@voisol/contract/retention'
import { RETENTION_KINDS, type RetentionKind } from '@voisol/contract/retention-kinds'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { lockCompany } from '../../../core/lock-company.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { retentionRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { eraseDueParticipants } from '../../relationship/erasure/erasure.ts'
import { getFirstKeptDay } from './durations.ts'
import { createRetentionPreview, loadEffectiveRetention } from './retention.ts'
import { DELETE_BATCH_BY_KIND, type DeletedBatch } from './retire.ts'

type EffectiveRetention = Awaited<ReturnType<typeof loadEffectiveRetention>>

/** The open report, or a new one: an interrupted run continues in its own report. */
async function openReport(tx: Db, companyId: number, { months, seal }: EffectiveRetention) {
  const open = and(
    eq(retentionRuns.companyId, companyId),
    eq(retentionRuns.stage, 'pass'),
    isNull(retentionRuns.finishedAt),
  )
  const [known] = await tx.select().from(retentionRuns).where(open).orderBy(desc(retentionRuns.createdAt)).limit(1)
  if (known) return known
  const [made] = await tx
    .insert(retentionRuns)
    .values({ companyId, stage: 'pass', months, seal, counts: {} })
    .returning()
  if (!made) throw new Error('no report')
  return made
}

/** Adds the rows deleted now to those deleted earlier, for one kind. */
export function addCounts(
  counts: RetentionCounts,
  kind: RetentionKind,
  months: DeletedBatch['months'],
): RetentionCounts {
  const before = counts[kind] ?? { count: 0, months: {} }
  const sum = { ...before.months }
  for (const [month, n] of Object.entries(months)) sum[month] = (sum[month] ?? 0) + n
  return { ...counts, [kind]: { count: Object.values(sum).reduce((all, n) => all + n, 0), months: sum } }
}

/**
 * Deletes a batch and updates the report in one transaction. The confirmation is checked again, since a setting may
 * have changed meanwhile.
 */
const deleteBatch = (deps: Deps, companyId: number, kind: RetentionKind): Promise<DeletedBatch | null> =>
  transaction(deps.db, async (tx) => {
    await lockCompany(tx, companyId)
    const effective = await loadEffectiveRetention(tx, companyId)
    if (!effective.confirmed) return null
    const before = getFirstKeptDay(kind, effective.months, getToday())
    const taken = await DELETE_BATCH_BY_KIND[kind]({ tx, deps, companyId, before })
    if (!Object.keys(taken.months).length) return taken
    const report = await openReport(tx, companyId, effective)
    await tx
      .update(retentionRuns)
      .set({ counts: addCounts(report.counts, kind, taken.months) })
      .where(and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.id, report.id)))
    return taken
  })

const closeReport = (db: Db, companyId: number) =>
  db
    .update(retentionRuns)
    .set({ finishedAt: new Date() })
    .where(
      and(eq(retentionRuns.companyId, companyId), eq(retentionRuns.stage, 'pass'), isNull(retentionRuns.finishedAt)),
    )

/** Deletes what has passed its retention period, batch by batch. After an interruption the next run continues. */
async function deleteExpiredData(deps: Deps, companyId: number, signal?: AbortSignal): Promise<void> {
  for (const kind of RETENTION_KINDS)
    for (let more = true; more; ) {
      signal?.throwIfAborted()
      const taken = await deleteBatch(deps, companyId, kind)
      more = taken?.more ?? false
    }
  await closeReport(deps.db, companyId)
}

/** Once for each set of durations: counts what they would delete and notifies those who can confirm it. */
const previewAndNotify = (deps: Deps, companyId: number) =>
  transaction(deps.db, async (tx) => {
    await lockCompany(tx, companyId)
    const { seal } = await loadEffectiveRetention(tx, companyId)
    const seen = and(
      eq(retentionRuns.companyId, companyId),
      eq(retentionRuns.stage, 'preview'),
      eq(retentionRuns.seal, seal),
    )
    const [known] = await tx.select({ id: retentionRuns.id }).from(retentionRuns).where(seen).limit(1)
    if (known) return
    const counts = await createRetentionPreview(tx, companyId)
    if (!Object.values(counts).some(({ count }) => count > 0)) return
    await notify(tx, deps, {
      companyId,
      to: { permission: 'companies.write' },
      category: 'account',
      type: 'info',
      priority: 'normal',
      title: 'Des données ont dépassé leur durée de conservation',
      message: 'Rien n’est supprimé sans vous\u00a0: regardez ce qui le serait, puis acceptez ou changez les durées.',
      action: { label: 'Voir ce qui serait supprimé', url: '/settings?onglet=vie-des-donnees' },
      key: `retention ${seal}`,
    })
  })

export async function applyRetention(deps: Deps, companyId: number, signal?: AbortSignal): Promise<void> {
  await eraseDueParticipants(deps.db, companyId)
  const { confirmed } = await loadEffectiveRetention(deps.db, companyId)
  await (confirmed ? deleteExpiredData(deps, companyId, signal) : previewAndNotify(deps, companyId))
}
