import type { HealthAlert, HealthUnit } from '@voisol/contract/health'
import { desc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { NOBODY, siteCompany } from '../../../core/site-company.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { healthAlerts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchNumber } from '../../../french.ts'
import type { Measured } from './measure.ts'
import { levelOf, METRICS, type MetricName, metricOf } from './metrics.ts'

const WORDS: Record<z.infer<typeof HealthUnit>, (value: number) => string> = {
  bytes: (value) => `${frenchNumber(Math.round(value / 1e6))}\u00a0Mo`,
  share: (value) => `${frenchNumber(Math.round(value * 100))}\u00a0%`,
  count: (value) => frenchNumber(value),
  ms: (value) => `${frenchNumber(value)}\u00a0ms`,
  hours: (value) => `il y a ${frenchNumber(Math.round(value))}\u00a0h`,
  days: (value) => `${frenchNumber(Math.round(value))}\u00a0jours`,
}
const detailOf = (name: MetricName, value: number) =>
  `${METRICS[name].label}\u00a0: ${WORDS[METRICS[name].unit](value)}.`

type AlertRow = typeof healthAlerts.$inferSelect
const about = (companyId: number, id: string, { secrets }: Deps) => ({
  companyId,
  object: id,
  by: { job: 'health.sample', secrets },
})

/** Opens an alert once, or makes it worse once; a measure that comes back to a warning keeps its alert until it is well. */
async function raise(
  tx: Db,
  deps: Deps,
  open: AlertRow | undefined,
  name: MetricName,
  value: number,
  level: 'warning' | 'critical',
) {
  if (open && (open.level === level || level === 'warning')) return
  const detail = detailOf(name, value)
  const [row] = open
    ? await tx.update(healthAlerts).set({ level, value, detail }).where(eq(healthAlerts.id, open.id)).returning()
    : await tx.insert(healthAlerts).values({ metric: name, level, value, detail }).returning()
  const companyId = await siteCompany(tx)
  if (!row || companyId === NOBODY) return
  const data = { alertId: row.id, metric: name, level, detail, advice: METRICS[name].advice }
  await record(tx, { ...about(companyId, row.id, deps), name: 'alert.raised', data })
}

async function close(tx: Db, deps: Deps, open: AlertRow) {
  await tx.update(healthAlerts).set({ closedAt: new Date() }).where(eq(healthAlerts.id, open.id))
  const companyId = await siteCompany(tx)
  if (companyId === NOBODY) return
  const data = { alertId: open.id, metric: open.metric }
  await record(tx, { ...about(companyId, open.id, deps), name: 'alert.ended', data })
}

/** What is beyond its threshold has an alert, what is well again has none; what was not measured stays as it was. */
export const followAlerts = (deps: Deps, measured: Partial<Measured>): Promise<void> =>
  transaction(deps.db, async (tx) => {
    const open = await tx.select().from(healthAlerts).where(isNull(healthAlerts.closedAt)).for('update')
    for (const [key, value] of Object.entries(measured)) {
      const name = key as MetricName // entries() forgets the key type
      if (value === null) continue
      const level = levelOf(METRICS[name], value)
      const alert = open.find(({ metric }) => metric === name)
      if (level !== 'ok') await raise(tx, deps, alert, name, value, level)
      else if (alert) await close(tx, deps, alert)
    }
  })

const SHOWN = 30
export async function readAlerts(db: Db): Promise<HealthAlert[]> {
  const rows = await db.select().from(healthAlerts).orderBy(desc(healthAlerts.openedAt)).limit(SHOWN)
  return rows.map(({ openedAt, closedAt, level, value: _, ...row }) => ({
    ...row,
    label: metricOf(row.metric)?.label ?? row.metric,
    advice: metricOf(row.metric)?.advice ?? '',
    level: level === 'critical' ? 'critical' : 'warning',
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }))
}
