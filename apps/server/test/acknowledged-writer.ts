import { setTimeout as pause } from 'node:timers/promises'
import { queryAs } from './database.ts'
import { fetchWithTimeout } from './process.ts'

const RETRY_DELAY_MS = 20
const PREFERENCES_PATH = 'notifications/preferences'
const SESSIONS_PATH = 'auth/sessions/revoke-others'

/** Writes continuously and records acknowledged writes outside the database. */
export function startAcknowledgedWriter(base: string, token: string, url: () => Promise<string>, writerCount = 3) {
  const acknowledged = new Set<string>()
  const refused: number[] = []
  let active = true
  const authorization = `Bearer ${token}`
  const sessions = { method: 'POST', headers: { authorization } }
  const preferences = (n: number) => ({
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ items: [{ category: 'account', channel: 'mail', enabled: n % 2 === 0 }] }),
  })
  const run = async () => {
    for (let n = 0; active; n++) {
      const answer = await fetchWithTimeout(
        `${base}/api/${n % 3 ? PREFERENCES_PATH : SESSIONS_PATH}`,
        n % 3 ? preferences(n) : sessions,
      ).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => {})
      if (answer?.ok) acknowledged.add(String(answer.headers.get('x-request-id')))
      else {
        refused.push(answer?.status ?? 0)
        await pause(RETRY_DELAY_MS)
      }
    }
  }
  const done = Promise.all(Array.from({ length: writerCount }, run))
  return {
    size: () => acknowledged.size,
    /** Statuses of refused writes; 0 where there was no answer. */
    refused: () => refused,
    /** Stops writing; returns acknowledged writes that are not in the audit log. */
    async lost(): Promise<string[]> {
      active = false
      await done
      // On a cluster, transactions interrupted during two-phase commit are resolved by the first machine.
      if (process.env.TEST_CLUSTER) await queryAs(await url(), 'select recover_prepared_transactions()')
      const { rows } = await queryAs(await url(), 'select request_id as id from audit_entries')
      const kept = new Set(rows.map(({ id }) => String(id)))
      return [...acknowledged].filter((id) => !kept.has(id))
    },
  }
}
