import type { ParticipantLine } from '@voisol/contract/participants'
import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import { recordEvents } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { expandBatteryLine } from './batteries.ts'
import { type EnrolmentData, loadEnrolmentData } from './enrolment-data.ts'
import { recordParticipationChange } from './participation-events.ts'
import { getChangedRange, lockEnrolments } from './participation-rules.ts'
import { getPointKey, type PlannedLine, type PlanLinesOptions as PlanOptions, planLines } from './plan-enrolment.ts'

/** Plans an enrolment under a lock until the transaction ends, so that the plan stays valid. */
export async function planEnrolment(
  tx: Db,
  actor: Actor,
  operationId: string,
  lines: ParticipantLine[],
  { startsOn, numbers }: { startsOn: string; numbers: number[] },
) {
  const { companyId } = actor
  await lockEnrolments(tx, companyId)
  return planExpandedLines(await loadEnrolmentData(tx, actor, operationId, lines), lines, {
    companyId,
    startsOn,
    numbers,
  })
}

/** Plans the lines, with one plan per direction of each line. */
export function planExpandedLines(
  known: EnrolmentData,
  lines: ParticipantLine[],
  { numbers, ...options }: PlanOptions,
): PlannedLine[][] {
  const sides = lines.flatMap((line, i) =>
    expandBatteryLine(line).map((side) => ({ side, i, number: numbers[i] ?? i + 1 })),
  )
  const planned = planLines(
    known,
    sides.map(({ side }) => side),
    { ...options, numbers: sides.map(({ number }) => number) },
  )
  return lines.map((_, i) => mergeDirections(planned.filter((_, at) => sides[at]?.i === i)))
}

/** Merges the plans of a line: for a battery both directions are accepted, or neither. */
function mergeDirections(sides: PlannedLine[]): PlannedLine[] {
  const refused = sides.find(({ outcome }) => outcome === 'refused')
  return refused ? [refused] : sides
}

/**
 * Enrols participants: known ones are matched by e-mail, SIREN or name and address, others are created, and likewise
 * their points. All lines or none; every wrong one is named. Returns the points by `prm direction`.
 */
export async function enrolParticipants(
  tx: Db,
  actor: Actor,
  operationId: string,
  lines: ParticipantLine[],
  startsOn: string,
): Promise<Map<string, string>> {
  const numbers = lines.map((_, i) => i + 1)
  const byLine = await planEnrolment(tx, actor, operationId, lines, { startsOn, numbers })
  const issues = byLine.flatMap((sides, i) =>
    sides.flatMap(({ faults }) =>
      faults.map(({ field, message }) => ({ path: `participants.${i}.${field}`, message })),
    ),
  )
  if (issues.length) throw new AppError('invalid', { issues })
  const planned = byLine.flat()
  await storePlannedLines(tx, actor.companyId, operationId, planned)
  return new Map(planned.flatMap((line) => ('point' in line ? [[getPointKey(line.line), line.point.row.id]] : [])))
}

type AcceptedLine = Exclude<PlannedLine, { outcome: 'refused' }>
type StoredRecord = { row: object; state: string }

/** Inserts rows or updates the `changing` columns of existing ones, in one statement with one parameter. */
async function upsertRecords(tx: Db, table: PgTable, records: StoredRecord[], changing: string[]) {
  const rows = [...new Set(records)].filter(({ state }) => state !== 'stored').map(({ row }) => row)
  if (!rows.length) return
  const names = new Map(Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, name]))
  const columnValues = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([key, value]) => (names.has(key) ? [[names.get(key), value]] : [])),
    ),
  )
  const columns = sql.raw(Object.keys(columnValues[0] ?? {}).join(', '))
  const set = sql.raw(changing.map((key) => `${names.get(key)} = excluded.${names.get(key)}`).join(', '))
  await tx.execute(sql`
    insert into ${table} as kept (${columns})
    select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(columnValues)}::jsonb)
    on conflict (company_id, id) do update set ${set}, version = kept.version + 1`)
}

const CONTACT_FIELDS = ['siren', 'email', 'phone', 'address', 'postalCode', 'city', 'notes']
const TECHNICAL_FIELDS = [
  'label',
  'segment',
  'subscribedVa',
  'peakWatts',
  'azimuth',
  'tilt',
  'commissionedOn',
  'address',
  'latitude',
  'longitude',
  'storage',
  'precision',
]

/** Records each new person once, however many points they have. */
function recordNewParticipants(tx: Db, companyId: number, plan: AcceptedLine[]) {
  const people = new Map(
    plan.filter(({ person }) => person.state === 'new').map(({ person: { row } }) => [row.id, row]),
  )
  const each = [...people.values()].map(({ id, kind }) => ({ object: id, data: { participantId: id, kind } }))
  return recordEvents(tx, companyId, 'participant.created', each)
}

/** An import records the same events as manual changes, so that subscribers treat both alike. */
const RECORDED_CHANGES = [
  ['new', 'started'],
  ['changed', 'changed'],
] as const

/** Stores the plan, and marks runs over the changed days as outdated. */
export async function storePlannedLines(tx: Db, companyId: number, operationId: string, planned: PlannedLine[]) {
  const plan = planned.filter((line): line is AcceptedLine => line.outcome !== 'refused')
  const entries = plan.map(({ participation: { row, state } }) => ({ row: { ...row, companyId }, state }))
  await upsertRecords(
    tx,
    participants,
    plan.map(({ person }) => person),
    CONTACT_FIELDS,
  )
  await upsertRecords(
    tx,
    points,
    plan.map(({ point }) => point),
    TECHNICAL_FIELDS,
  )
  await upsertRecords(tx, participations, entries, ['startsOn', 'endsOn', 'agreementSignedOn'])
  await recordNewParticipants(tx, companyId, plan)
  for (const [state, change] of RECORDED_CHANGES) {
    const own = plan.filter(({ participation }) => participation.state === state)
    const participationIds = own.map(({ participation }) => participation.row.id)
    const changed = own.map(({ before, participation }) => getChangedRange(before, participation.row))
    if (own.length) await recordParticipationChange(tx, change, { companyId, operationId, participationIds, changed })
  }
}
