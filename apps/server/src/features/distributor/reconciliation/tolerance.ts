import { addMonths, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'

/** Watt-hours per point and month. */
const DEFAULT_TOLERANCE_WH = 1000
/** Watt-minutes. */
const WATT_MINUTES_PER_WH = 60

export async function loadTolerance(db: Db, companyId: number): Promise<number> {
  const [row] = await db
    .select({ toleranceWh: syncSettings.toleranceWh })
    .from(syncSettings)
    .where(eq(syncSettings.companyId, companyId))
  return row?.toleranceWh ?? DEFAULT_TOLERANCE_WH
}

/** Largest difference that counts as rounding, in watt-minutes. */
export type Tolerance = { month: number; day: (day: string) => number; step: number }

/**
 * The distributor publishes whole watts: a step may differ by one watt, and a month by at most half a watt per step,
 * whatever larger tolerance is configured. A company may configure a smaller monthly one.
 */
export function computeTolerance(toleranceWh: number, month: string, step: Step): Tolerance {
  const minutes = dayStart(addMonths(month, 1)) - dayStart(month)
  return { month: Math.min(toleranceWh * WATT_MINUTES_PER_WH, Math.floor(minutes / 2)), day: minutesOfDay, step }
}
