import { enedis } from '@voisol/contract/enedis'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { enedisCredentials } from '../src/db/schema/index.ts'
import { SANDBOX_CLIENT } from '../src/sandbox/client.ts'
import { today } from '../src/today.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { useServer } from './server.ts'

export const PRM = '19000000009001'
export const PLANT = '19000000009002'
export const ACC = 'ACC00000901'
export const DAY = addDays(today(), -10)
export const WEEK = { from: DAY, to: addDays(DAY, 7) }
/** The last one that is over: its figures are definitive. */
export const MONTH = { from: addMonths(monthOf(today()), -1), to: monthOf(today()) }
export const CREDENTIAL = { environment: 'local', backend: 'dataconnect-v2', ...SANDBOX_CLIENT } as const

async function fill(sandbox: Sandbox) {
  const from = addDays(today(), -400)
  await sandbox.control('PUT', 'points', [
    { prm: PRM, direction: 'consumption', step: 15, from },
    { prm: PLANT, direction: 'production', step: 15, from },
  ])
  const dates = { startsOn: from, endsOn: null }
  const points = [
    { prm: PRM, role: 'cons', ...dates },
    { prm: PLANT, role: 'prod', ...dates },
  ]
  await sandbox.control('PUT', 'agreements', [
    { acc: ACC, name: 'Convention d’essai', ...dates, key: 'default', points },
  ])
}

/** A server beside a distributor that knows two points and one convention; each test has a company of its own. */
export function useEnedis() {
  const server = useServer()
  const at = {} as { sandbox: Sandbox; admin: Awaited<ReturnType<typeof makeUser>> } // filled before the first test
  beforeAll(async () => {
    at.sandbox = await startSandbox()
    await fill(at.sandbox)
  }, 30_000)
  afterAll(() => at.sandbox?.stop())
  beforeEach(async () => {
    server.deps.enedis.hosts.local = at.sandbox.url
    await at.sandbox.control('DELETE', 'faults')
    at.admin = await makeUser(server.db)
  })
  const run = (id: string, params: Record<string, string> = {}, credentialId?: string) =>
    call(server, enedis.run, { body: { call: id, params, ...(credentialId && { credentialId }) } }, at.admin)
  return {
    at,
    server,
    run,
    save: (draft: object = {}) => call(server, enedis.save, { body: { ...CREDENTIAL, ...draft } }, at.admin),
    curve: (more: Record<string, string> = {}) =>
      run('dataconnect-v2-load-curve-consumption', { prm: PRM, ...WEEK, ...more }),
    overview: async () => (await call(server, enedis.overview, {}, at.admin)).body,
    rows: () => server.db.select().from(enedisCredentials).where(eq(enedisCredentials.companyId, at.admin.companyId)),
  }
}
