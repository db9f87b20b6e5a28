import { addMonths, dayStart, daysBetween, stepsOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'

/** Watt-hours per point and month. */
const USUAL_WH = 1000
/** Watt-minutes. */
const WH = 60

export async function readTolerance(db: Db, companyId: number): Promise<number> {
  const [row] = await db
    .select({ toleranceWh: syncSettings.toleranceWh })
    .from(syncSettings)
    .where(eq(syncSettings.companyId, companyId))
  return row?.toleranceWh ?? USUAL_WH
}

/** What is rounding, in watt-minutes: the tolerance of a month, a day's or a step's part of it, at least 1 Wh per step. */
export type Tolerance = { month: number; day: (day: string) => number; step: number }

export function toleranceOf(toleranceWh: number, month: string, step: Step): Tolerance {
  const next = addMonths(month, 1)
  const whole = toleranceWh * WH
  const steps = (dayStart(next) - dayStart(month)) / step
  return {
    month: whole,
    day: (day) => Math.max(Math.floor(whole / daysBetween(month, next)), stepsOfDay(day, step) * WH),
    step: Math.max(Math.floor(whole / steps), WH),
  }
}
