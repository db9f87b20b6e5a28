import { stepsOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import type { PointDayReadings } from '../src/core/readings.ts'
import type { Db } from '../src/db/client.ts'
import { participants, participations, points } from '../src/db/schema/index.ts'

let count = 0

type MakeMeterInput = {
  companyId: number
  operationId?: string
  userId?: string
  startsOn?: string
  endsOn?: string | null
} & Partial<typeof points.$inferInsert>

/** A point with its holder; with an operation, also its participation. */
export async function makeMeter(db: Db, { companyId, operationId, userId, startsOn, endsOn, ...more }: MakeMeterInput) {
  const prm = `3000000${String(++count).padStart(7, '0')}`
  const row = { companyId, prm, direction: 'consumption', segment: 'C5', ...more }
  const [point] = await db.insert(points).values(row).returning()
  const person = { companyId, kind: 'person', name: `Voisin ${count}`, ...(userId && { userId }) }
  const [participant] = await db.insert(participants).values(person).returning()
  if (!point || !participant) throw new Error('no meter')
  if (operationId)
    await db.insert(participations).values({
      companyId,
      operationId,
      pointId: point.id,
      participantId: participant.id,
      startsOn: startsOn ?? '2025-01-01',
      endsOn: endsOn ?? null,
    })
  return point
}

/** A whole day: one constant value, or one per step. */
export function buildCurveDay(
  pointId: string,
  day: string,
  value: number | ((at: number, day: string) => number),
  step: Step = 15,
): PointDayReadings {
  const watts = Int32Array.from({ length: stepsOfDay(day, step) }, (_, at) =>
    typeof value === 'number' ? value : value(at, day),
  )
  return { pointId, day, step, watts, marks: null, quality: 1 }
}
