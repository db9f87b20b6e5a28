import { enedis } from '@voisol/contract/enedis'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { enedisCredentials } from '../src/db/schema/index.ts'
import { SIMULATOR_CLIENT } from '../src/sandbox/client.ts'
import { getToday } from '../src/today.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { startTestSimulator, type TestSimulator } from './sandbox.ts'
import { useServer } from './server.ts'

export const CONSUMER_TEST_PRM = '19000000009001'
export const PRODUCER_TEST_PRM = '19000000009002'
export const TEST_ACC_NUMBER = 'ACC00000901'
export const DAY = addDays(getToday(), -10)
export const WEEK = { from: DAY, to: addDays(DAY, 7) }
/** The last complete month: its figures are definitive. */
export const LAST_MONTH = { from: addMonths(monthOf(getToday()), -1), to: monthOf(getToday()) }
export const CREDENTIAL_INPUT = { environment: 'local', backend: 'dataconnect-v2', ...SIMULATOR_CLIENT } as const

async function fillSimulator(sandbox: TestSimulator) {
  const from = addDays(getToday(), -400)
  await sandbox.control('PUT', 'points', [
    { prm: CONSUMER_TEST_PRM, direction: 'consumption', step: 15, from },
    { prm: PRODUCER_TEST_PRM, direction: 'production', step: 15, from },
  ])
  const dates = { startsOn: from, endsOn: null }
  const points = [
    { prm: CONSUMER_TEST_PRM, role: 'cons', ...dates },
    { prm: PRODUCER_TEST_PRM, role: 'prod', ...dates },
  ]
  await sandbox.control('PUT', 'agreements', [
    { acc: TEST_ACC_NUMBER, name: 'Convention d’essai', ...dates, key: 'default', points },
  ])
}

/** A server with a simulated distributor that has two points and one convention; each test has its own company. */
export function useEnedisServer() {
  const server = useServer()
  const at = {} as { sandbox: TestSimulator; admin: Awaited<ReturnType<typeof makeUser>> } // filled before the first test
  beforeAll(async () => {
    at.sandbox = await startTestSimulator()
    await fillSimulator(at.sandbox)
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
    save: (draft: object = {}) => call(server, enedis.save, { body: { ...CREDENTIAL_INPUT, ...draft } }, at.admin),
    curve: (more: Record<string, string> = {}) =>
      run('dataconnect-v2-load-curve-consumption', { prm: CONSUMER_TEST_PRM, ...WEEK, ...more }),
    overview: async () => (await call(server, enedis.overview, {}, at.admin)).body,
    rows: () => server.db.select().from(enedisCredentials).where(eq(enedisCredentials.companyId, at.admin.companyId)),
  }
}
