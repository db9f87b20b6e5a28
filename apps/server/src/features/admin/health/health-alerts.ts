import type { HealthAlert, HealthUnit } from '@voisol/contract/health'
import { formatFrenchNumber } from '@voisol/file-formats/french'
import { desc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../../../core/site-owner.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { healthAlerts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { findMetric, getHealthLevel, type HealthMeasures, METRICS, type MetricName } from './health-metrics.ts'

const VALUE_FORMATTERS: Record<z.infer<typeof HealthUnit>, (value: number) => string> = {
  bytes: (value) => `${formatFrenchNumber(Math.round(value / 1e6))}\u00a0Mo`,
  share: (value) => `${formatFrenchNumber(Math.round(value * 100))}\u00a0%`,
  count: (value) => formatFrenchNumber(value),
  ms: (value) => `${formatFrenchNumber(value)}\u00a0ms`,
  hours: (value) => `il y a ${formatFrenchNumber(Math.round(value))}\u00a0h`,
  days: (value) => `${formatFrenchNumber(Math.round(value))}\u00a0jours`,
}
const describeMeasure = (name: MetricName, value: number) =>
  `${METRICS[name].label}\u00a0: ${VALUE_FORMATTERS[METRICS[name].unit](value)}.`

type AlertRow = typeof healthAlerts.$inferSelect
const toAlertEvent = (companyId: number, id: string, { secrets }: Deps) => ({
  companyId,
  object: id,
  by: { job: 'health.sample', secrets },
})

/**
 * Opens or escalates an alert, each once; an alert that falls back to a warning stays open until the measure is normal.
 */
async function raiseAlert(
  tx: Db,
  deps: Deps,
  open: AlertRow | undefined,
  name: MetricName,
  value: number,
  level: 'warning' | 'critical',
) {
  if (open && (open.level === level || level === 'warning')) return
  const detail = describeMeasure(name, value)
  const [row] = open
    ? await tx.update(healthAlerts).set({ level, value, detail }).where(eq(healthAlerts.id, open.id)).returning()
    : await tx.insert(healthAlerts).values({ metric: name, level, value, detail }).returning()
  const companyId = await loadSiteOwnerId(tx)
  if (!row || companyId === NO_SITE_OWNER) return
  const data = { alertId: row.id, metric: name, level, detail, advice: METRICS[name].advice }
  await recordEvent(tx, { ...toAlertEvent(companyId, row.id, deps), name: 'alert.raised', data })
}

async function closeAlert(tx: Db, deps: Deps, open: AlertRow) {
  await tx.update(healthAlerts).set({ closedAt: new Date() }).where(eq(healthAlerts.id, open.id))
  const companyId = await loadSiteOwnerId(tx)
  if (companyId === NO_SITE_OWNER) return
  const data = { alertId: open.id, metric: open.metric }
  await recordEvent(tx, { ...toAlertEvent(companyId, open.id, deps), name: 'alert.ended', data })
}

/**
 * Opens alerts for measures beyond their threshold and closes those that are normal again; unmeasured ones stay as they
 * are.
 */
export const updateAlerts = (deps: Deps, measured: Partial<HealthMeasures>): Promise<void> =>
  transaction(deps.db, async (tx) => {
    const open = await tx.select().from(healthAlerts).where(isNull(healthAlerts.closedAt)).for('update')
    for (const [key, value] of Object.entries(measured)) {
      const name = key as MetricName // Object.entries() widens the key type to string
      if (value === null) continue
      const level = getHealthLevel(METRICS[name], value)
      const alert = open.find(({ metric }) => metric === name)
      if (level !== 'ok') await raiseAlert(tx, deps, alert, name, value, level)
      else if (alert) await closeAlert(tx, deps, alert)
    }
  })

const MAX_LISTED_ALERTS = 30
export async function listHealthAlerts(db: Db): Promise<HealthAlert[]> {
  const rows = await db.select().from(healthAlerts).orderBy(desc(healthAlerts.openedAt)).limit(MAX_LISTED_ALERTS)
  return rows.map(({ openedAt, closedAt, level, value: _, ...row }) => ({
    ...row,
    label: findMetric(row.metric)?.label ?? row.metric,
    advice: findMetric(row.metric)?.advice ?? '',
    level: level === 'critical' ? 'critical' : 'warning',
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }))
}
