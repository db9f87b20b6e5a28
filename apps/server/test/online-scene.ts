import { online as api } from '@voisol/contract/online'
import { afterAll, beforeAll } from 'vitest'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { issueMonth, type Month, makeMonth, quietly } from './factories-invoices.ts'
import { type PaymentSandbox, startPaymentSandbox } from './payment-sandbox.ts'
import { useServer } from './server.ts'
import { until } from './wait.ts'

type Account = Awaited<ReturnType<typeof makeUser>>
type Scene = { sandbox: PaymentSandbox; admin: Account; client: Account; world: Month; ids: string[]; host: string }

/** A month that was invoiced, beside a provider of online payments that runs: who is billed, the office, and how they pay. */
export function useOnline({ members, prefix }: { members: number; prefix: string }) {
  const server = useServer()
  let scene: Scene | undefined
  const here = (): Scene => {
    if (!scene) throw new Error('the scene is set before the first test')
    return scene
  }
  beforeAll(async () => {
    const sandbox = await startPaymentSandbox()
    server.deps.payments.hosts.local = sandbox.url
    const { host } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
    const admin = await makeUser(server.db)
    const { companyId } = admin
    const client = await makeUser(server.db, { companyId, isAdmin: false })
    const world = await makeMonth(server.db, { companyId, members, prefix, userId: client.id })
    const { ids } = await issueMonth(quietly(server.db), world)
    scene = { sandbox, admin, client, world, ids, host }
  }, 120_000)
  afterAll(() => scene?.sandbox.stop())

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
  const reaches = (id: string, state: string) => until(async () => (await stateOf(id)) === state)
  return { server, here, ask, view, openOf, pay, stateOf, reaches }
}
