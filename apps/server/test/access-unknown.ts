import type { Endpoint } from '@voisol/contract/endpoint'
import { expect } from 'vitest'
import { restOf } from './access-bodies.ts'
import { type Owner, paramsFor, SECRET } from './access-makers.ts'
import { call, type Server } from './client.ts'

/** Everything a company owns; what only records the calls themselves is left out. */
async function snapshot(server: Server) {
  const { rows: tables } = await server.deps.db.$client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
        and table_name not in ('audit_entries', 'audit_heads', 'status_samples', 'throttles', 'idempotency_keys', 'webhook_deliveries', 'event_cursors',
          'call_counts', 'key_calls', 'webhook_attempts')
      order by 1`,
  )
  // The number of the last transaction that wrote a row, and how many are left: what was written or removed shows.
  const marks = tables.map(
    ({ name: table }) => `select '${table}' as table, count(*), max(xmin::text::bigint) as last from "${table}"`,
  )
  return (await server.deps.db.$client.query(`${marks.join(' union all ')} order by 1`)).rows
}

/** What belongs to `owner` is not there for `stranger`: nothing is told, nothing is changed. */
export async function expectUnknown(server: Server, e: Endpoint, owner: Owner, stranger: { token: string }) {
  const params = await paramsFor(server, e, owner)
  const before = await snapshot(server)
  const { status, body, text } = await call(server, e, { params, ...restOf(e) }, stranger)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
  for (const secret of [owner.email, owner.lastName, SECRET]) expect(text).not.toContain(secret)
  expect(await snapshot(server)).toEqual(before)
}
