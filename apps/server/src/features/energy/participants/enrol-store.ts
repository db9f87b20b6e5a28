import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { recordEach } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Planned } from './enrol-plan.ts'
import { difference } from './periods.ts'
import { tellMembers } from './tell.ts'

type Accepted = Exclude<Planned, { outcome: 'refused' }>
type Kept = { row: object; state: string }

/** Adds rows, or gives those that are there the new values of `changing`: one statement and one value, whatever their number. */
async function put(tx: Db, table: PgTable, records: Kept[], changing: string[]) {
  const rows = [...new Set(records)].filter(({ state }) => state !== 'stored').map(({ row }) => row)
  if (!rows.length) return
  const names = new Map(Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, name]))
  const named = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([key, value]) => (names.has(key) ? [[names.get(key), value]] : [])),
    ),
  )
  const columns = sql.raw(Object.keys(named[0] ?? {}).join(', '))
  const set = sql.raw(changing.map((key) => `${names.get(key)} = excluded.${names.get(key)}`).join(', '))
  await tx.execute(sql`
    insert into ${table} as kept (${columns})
    select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(named)}::jsonb)
    on conflict (company_id, id) do update set ${set}, version = kept.version + 1`)
}

const CONTACT = ['siren', 'email', 'phone', 'address', 'postalCode', 'city', 'notes']
const TECHNICAL = [
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

/** Whoever was not known before, once, however many points they come with. */
function tellNew(tx: Db, companyId: number, plan: Accepted[]) {
  const people = new Map(
    plan.filter(({ person }) => person.state === 'new').map(({ person: { row } }) => [row.id, row]),
  )
  const each = [...people.values()].map(({ id, kind }) => ({ object: id, data: { participantId: id, kind } }))
  return recordEach(tx, companyId, 'participant.created', each)
}

/** What a file says is told like what is done by hand: who listens need not know which it was. */
const TOLD = [
  ['new', 'started'],
  ['changed', 'changed'],
] as const

/** Writes what a plan settled; what was computed over the days that changed is marked. */
export async function storePlan(tx: Db, companyId: number, operationId: string, planned: Planned[]) {
  const plan = planned.filter((line): line is Accepted => line.outcome !== 'refused')
  const entries = plan.map(({ participation: { row, state } }) => ({ row: { ...row, companyId }, state }))
  await put(
    tx,
    participants,
    plan.map(({ person }) => person),
    CONTACT,
  )
  await put(
    tx,
    points,
    plan.map(({ point }) => point),
    TECHNICAL,
  )
  await put(tx, participations, entries, ['startsOn', 'endsOn', 'agreementSignedOn'])
  await tellNew(tx, companyId, plan)
  for (const [state, change] of TOLD) {
    const own = plan.filter(({ participation }) => participation.state === state)
    const participationIds = own.map(({ participation }) => participation.row.id)
    const changed = own.map(({ before, participation }) => difference(before, participation.row))
    if (own.length) await tellMembers(tx, change, { companyId, operationId, participationIds, changed })
  }
}
