import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { enedis } from '@voisol/contract/enedis'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { SIMULATOR_CLIENT } from '@voisol/simulator/client'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { enedisCredentials } from '../src/db/schema/index.ts'
import type { EnedisInterface } from '../src/integrations/enedis/call-templates.ts'
import { createEnedisClient } from '../src/integrations/enedis/client.ts'
import { EnedisError } from '../src/integrations/enedis/enedis-faults.ts'
import { getToday } from '../src/today.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { getBundledProgram } from './programs.ts'
import { useServer } from './server.ts'

const ENEDIS_PROGRAM_PATH = join(import.meta.dirname, '../../simulator/src/main.ts')

type TestSimulatorOptions = { store?: string; anchor?: string; demo?: boolean; quotas?: boolean; port?: number }
export type TestSimulator = {
  url: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the sandbox really sent
  control(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<any>
  stop(): Promise<void>
  child: ChildProcess
}

/** The distributor simulator process, for a test: without the demo's points and without quotas by default. */
export async function startTestSimulator(options: TestSimulatorOptions = {}): Promise<TestSimulator> {
  const { store, anchor, demo = false, quotas = false, port = 0 } = options
  const args = [getBundledProgram(ENEDIS_PROGRAM_PATH), '--with-parent', '--port', String(port)]
  if (store) args.push('--store', store)
  if (anchor) args.push('--anchor', anchor)
  if (!demo) args.push('--no-demo')
  if (!quotas) args.push('--no-quotas')
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const first = await Promise.race([
    line,
    gone.then(([code]) => Promise.reject(new Error(`the sandbox left: ${code}`))),
  ])
  const { url } = JSON.parse(first) as { url: string } // the single line it prints
  return {
    url,
    child,
    async control(method, path, body) {
      const answer = await fetch(`${url}/_sandbox/${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const said = await answer.json()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`)
      return said
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

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
  })
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

type FixedResponse = { status?: number; body: string | object; headers?: Record<string, string> }

/** A distributor that gives the same answer to every call, to test how answers are handled. */
export function useFixedResponseDistributor() {
  const fixedResponse: FixedResponse = { body: {} }
  const server = createServer((request, response) => {
    const token = request.url?.endsWith('/token')
    const {
      status = 200,
      body,
      headers,
    } = token ? { body: { access_token: 'jeton', expires_in: 12_600 } } : fixedResponse
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => server.close())
  beforeEach(() => {
    Object.assign(fixedResponse, { status: 200, body: {}, headers: {} })
  })
  const open = (backend: EnedisInterface = 'dataconnect-v2') => {
    const { port } = server.address() as AddressInfo // it listens
    return createEnedisClient({ host: `http://127.0.0.1:${port}`, backend, clientId: 'client', clientSecret: 'secret' })
  }
  return {
    open,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens
    say: (body: FixedResponse['body'], more: Omit<FixedResponse, 'body'> = {}) =>
      void Object.assign(fixedResponse, { body, ...more }),
  }
}

/** The error of a call; a successful call is an error of the test. */
export async function catchEnedisError(work: Promise<unknown>) {
  const error = await work.then(
    (value) => new Error(`no fault: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof EnedisError)) throw error
  return error
}
