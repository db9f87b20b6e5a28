import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { PlannedLine } from './enrol-plan.ts'
import { getChangedRange } from './periods.ts'
import { recordParticipationChange } from './tell.ts'

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
