import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { online as api } from '@voisol/contract/online'
import { afterAll, beforeAll } from 'vitest'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { issueMonthDocuments, type MonthFixture, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'
import { getBundledProgram } from './programs.ts'
import { useServer } from './server.ts'
import { waitUntil } from './wait.ts'

const PAYMENT_PROGRAM_PATH = join(import.meta.dirname, '../../simulator/src/payments/main.ts')
export const SIMULATOR_PAYMENT_KEY = 'sk_test_essai0001'
export type TestPaymentSimulator = Awaited<ReturnType<typeof startTestPaymentSimulator>>

/** The payment simulator process, for a test. */
export async function startTestPaymentSimulator() {
  const child = spawn(process.execPath, [getBundledProgram(PAYMENT_PROGRAM_PATH), '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const first = await Promise.race([
    line,
    gone.then(([code]) => Promise.reject(new Error(`the sandbox left: ${code}`))),
  ])
  const { url } = JSON.parse(first) as { url: string } // the single line it prints
  return {
    url,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what the sandbox really sent
    async control(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<any> {
      const more = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${url}/_sandbox/${path}`, { method, ...more })
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

/** Submits the form of the payment page. */
export async function submitPaymentForm(page: string, fields: Record<string, string>) {
  const answer = await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}
export const VALID_CARD = { card: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }

type SceneUser = Awaited<ReturnType<typeof makeUser>>
type OnlinePaymentFixture = {
  sandbox: TestPaymentSimulator
  admin: SceneUser
  client: SceneUser
  world: MonthFixture
  ids: string[]
  host: string
}

/** An invoiced month with a running payment provider: buyers, staff, and functions to pay. */
export function useOnlinePayments({ members, prefix }: { members: number; prefix: string }) {
  const server = useServer()
  let fixture: OnlinePaymentFixture | undefined
  const here = (): OnlinePaymentFixture => {
    if (!fixture) throw new Error('the scene is set before the first test')
    return fixture
  }
  beforeAll(async () => {
    const sandbox = await startTestPaymentSimulator()
    server.deps.payments.hosts.local = sandbox.url
    const { host } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
    const admin = await makeUser(server.db)
    const { companyId } = admin
    const client = await makeUser(server.db, { companyId, isAdmin: false })
    const world = await makeMonthFixture(server.db, { companyId, members, prefix, userId: client.id })
    const { ids } = await issueMonthDocuments(withoutSubscribers(server.db), world)
    fixture = { sandbox, admin, client, world, ids, host }
  })
  afterAll(() => fixture?.sandbox.stop())

  const ask = (e: Parameters<typeof call>[1], input: object = {}, token = here().admin.token) =>
    call(server, e, input as Record<string, unknown>, { token, headers: { host: here().host } })
  const view = async (invoiceId: string, token?: string) =>
    (await ask(api.checkout, { params: { invoiceId } }, token)).body
  const openOf = async (invoiceId: string): Promise<number> => (await view(invoiceId)).invoice.open
  const pay = async (invoiceId: string, method = 'card', token?: string) => {
    const amount = await openOf(invoiceId)
    return (await ask(api.pay, { params: { invoiceId }, body: { method, amount } }, token)).body
  }
  const stateOf = async (id: string): Promise<string> => (await ask(api.payment, { params: { id } })).body.state
  const reaches = (id: string, state: string) => waitUntil(async () => (await stateOf(id)) === state)
  return { server, here, ask, view, openOf, pay, stateOf, reaches }
}
