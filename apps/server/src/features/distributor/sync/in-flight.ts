import type { SyncKind } from '@voisol/contract/sync'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Call } from './cut.ts'

type Flying = Pick<Call, 'subject' | 'direction' | 'from' | 'to'>
const key = ({ subject, direction, from, to }: Flying) => `${subject} ${direction} ${from} ${to}`

/** The calls that no task is making already. */
export async function notInFlight(tx: Db, companyId: number, kind: SyncKind, calls: Call[]): Promise<Call[]> {
  if (!calls.length) return calls
  const subjects = sql.param([...new Set(calls.map(({ subject }) => subject))])
  const { rows } = await tx.execute<Flying>(sql`
    select subject, direction, from_day::text as "from", to_day::text as "to" from sync_windows
     where company_id = ${companyId} and kind = ${kind} and subject = any(${subjects}::text[])
       and status in ('waiting', 'running')`)
  const flying = new Set(rows.map(key))
  return calls.filter((call) => !flying.has(key(call)))
}
