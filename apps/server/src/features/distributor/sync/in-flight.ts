import type { SyncKind } from '@voisol/contract/sync'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { SyncCall } from './cut.ts'

type CallKey = Pick<SyncCall, 'subject' | 'direction' | 'from' | 'to'>
const getCallKey = ({ subject, direction, from, to }: CallKey) => `${subject} ${direction} ${from} ${to}`

/** Filters out the calls that another task is making already. */
export async function filterNotInFlight(
  tx: Db,
  companyId: number,
  kind: SyncKind,
  calls: SyncCall[],
): Promise<SyncCall[]> {
  if (!calls.length) return calls
  const subjects = sql.param([...new Set(calls.map(({ subject }) => subject))])
  const { rows } = await tx.execute<CallKey>(sql`
    select subject, direction, from_day::text as "from", to_day::text as "to" from sync_windows
     where company_id = ${companyId} and kind = ${kind} and subject = any(${subjects}::text[])
       and status in ('waiting', 'running')`)
  const inFlight = new Set(rows.map(getCallKey))
  return calls.filter((call) => !inFlight.has(getCallKey(call)))
}
