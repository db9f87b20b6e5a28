import type { DayVersion } from '@voisol/contract/curves'
import { dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { formatMinuteAsIso, unpackInts } from '../../../core/packed.ts'
import type { ReadingQuality } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { curveDays } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { isWithinRanges } from './aligned.ts'
import { getMarkAt } from './day.ts'
import { listReadablePoints } from './scope.ts'

type DayVersionView = z.infer<typeof DayVersion>

function toDayVersion(row: typeof curveDays.$inferSelect): DayVersionView {
  const readings = {
    watts: unpackInts(row.watts),
    marks: row.marks,
    step: row.step as Step, // as stored
    quality: row.quality as ReadingQuality, // as stored
  }
  return {
    version: row.version,
    step: row.step,
    watts: Array.from(readings.watts, (value) => (value < 0 ? null : value)),
    marks: Array.from(readings.watts, (_, at) => getMarkAt(readings, at)),
    energyWh: Math.round(row.energy / 60),
    present: row.present,
    expected: row.expected,
    source: row.source as DayVersionView['source'], // as stored
    receivedAt: row.receivedAt.toISOString(),
    supersededAt: row.supersededAt?.toISOString() ?? null,
    importId: row.importId,
  }
}

/** Every version received for a day, latest first. */
export async function listDayVersions(db: Db, actor: Actor, id: string, day: string) {
  const [point] = await listReadablePoints(db, actor, { pointIds: [id] })
  if (!point || !isWithinRanges(point.spans, day)) throw new AppError('not-found')
  const rows = await db
    .select()
    .from(curveDays)
    .where(and(eq(curveDays.companyId, actor.companyId), eq(curveDays.pointId, id), eq(curveDays.day, day)))
    .orderBy(desc(curveDays.version))
  return { day, startsAt: formatMinuteAsIso(dayStart(day)), items: rows.map(toDayVersion) }
}
