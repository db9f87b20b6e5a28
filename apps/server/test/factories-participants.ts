import type { Db } from '../src/db/client.ts'
import { participants, participations, points } from '../src/db/schema/index.ts'

type CompanyFields = { companyId: number }
const requireRow = <T>(rows: T[]): T => {
  const [row] = rows
  if (!row) throw new Error('nothing was inserted')
  return row
}
let count = 0

export const makeParticipant = async (db: Db, more: CompanyFields & Partial<typeof participants.$inferInsert>) => {
  const lastName = `Participant ${++count}`
  const names = { kind: 'person', name: `Sacha ${lastName}`, firstName: 'Sacha', lastName }
  return requireRow(
    await db
      .insert(participants)
      .values({ ...names, ...more })
      .returning(),
  )
}

/** Each with a PRM of its own. */
export const makePoint = async (db: Db, more: CompanyFields & Partial<typeof points.$inferInsert>) => {
  const prm = `1900000${String(++count).padStart(7, '0')}`
  const direction = more.direction ?? 'consumption'
  const segment = direction === 'production' ? 'P4' : 'C5'
  return requireRow(
    await db
      .insert(points)
      .values({ prm, direction, segment, ...more })
      .returning(),
  )
}

type MakeParticipationInput = CompanyFields & { operationId: string } & Partial<typeof participations.$inferInsert>

/** With its own participant and point by default. */
export const makeParticipation = async (db: Db, { companyId, ...more }: MakeParticipationInput) => {
  const participantId = more.participantId ?? (await makeParticipant(db, { companyId })).id
  const pointId = more.pointId ?? (await makePoint(db, { companyId })).id
  const startsOn = '2025-01-01'
  return requireRow(
    await db
      .insert(participations)
      .values({ startsOn, ...more, companyId, participantId, pointId })
      .returning(),
  )
}
