import type { DayVersion } from '@voisol/contract/curves'
import { dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { instantOf, intsOf } from '../../../core/packed.ts'
import type { Quality } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { curveDays } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { isWithin } from './aligned.ts'
import { markAt } from './day.ts'
import { readablePoints } from './scope.ts'

type Version = z.infer<typeof DayVersion>

function toVersion(row: typeof curveDays.$inferSelect): Version {
  const readings = {
    watts: intsOf(row.watts),
    marks: row.marks,
    step: row.step as Step, // what was stored
    quality: row.quality as Quality, // what was stored
  }
  return {
    version: row.version,
    step: row.step,
    watts: Array.from(readings.watts, (value) => (value < 0 ? null : value)),
    marks: Array.from(readings.watts, (_, at) => markAt(readings, at)),
    energyWh: Math.round(row.energy / 60),
    present: row.present,
    expected: row.expected,
    source: row.source as Version['source'], // what was stored
    receivedAt: row.receivedAt.toISOString(),
    supersededAt: row.supersededAt?.toISOString() ?? null,
    importId: row.importId,
  }
}

/** Everything that was ever received for a day, the latest first. */
export async function dayVersions(db: Db, actor: Actor, id: string, day: string) {
  const [point] = await readablePoints(db, actor, { pointIds: [id] })
  if (!point || !isWithin(point.spans, day)) throw new AppError('not-found')
  const rows = await db
    .select()
    .from(curveDays)
    .where(and(eq(curveDays.companyId, actor.companyId), eq(curveDays.pointId, id), eq(curveDays.day, day)))
    .orderBy(desc(curveDays.version))
  return { day, startsAt: instantOf(dayStart(day)), items: rows.map(toVersion) }
}
