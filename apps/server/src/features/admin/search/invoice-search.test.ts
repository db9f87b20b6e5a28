import { search } from '@voisol/contract/search'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import {
  issueMonthDocuments,
  type MonthFixture,
  makeMonthFixture,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
type Who = { token: string; companyId: number }
type Hit = { kind: string; id: string; title: string; detail: string; to: string }
let admin: Who
let client: Who
let world: MonthFixture
let ids: string[]

const found = async (who: { token: string }, q: string): Promise<Hit[]> => {
  const { items } = (await call(server, search.find, { query: { q } }, who)).body
  return items.filter(({ kind }: Hit) => kind === 'invoice')
}
const nameOf = (at: number) => world.people[at]?.participant.name ?? ''

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  const user = await makeUser(server.db, { companyId, isAdmin: false })
  client = user
  world = await makeMonthFixture(server.db, { companyId, members: 3, prefix: 'ZEN', userId: user.id })
  ids = (await issueMonthDocuments(withoutSubscribers(server.db), world)).ids
})

test('finds an invoice by its number and by its buyer', async () => {
  const [hit, ...more] = await found(admin, 'zen2026-00002')
  expect(more).toEqual([])
  expect(hit).toEqual({
    kind: 'invoice',
    id: ids[1],
    title: expect.stringMatching(/^Facture ZEN2026-0*2$/),
    detail: expect.stringMatching(/^.+ · mai 2026$/),
    to: `/invoice/${ids[1]}`,
  })
  expect(await found(admin, 'ZEN')).toHaveLength(3)
  const byBuyer = await found(admin, nameOf(0))
  expect(byBuyer.map(({ detail }) => detail)).toContain(`${nameOf(0)} · mai 2026`)
})

test('tolerates a typing error in the name, but none in the number', async () => {
  const [word = ''] = nameOf(0).split(' ')
  const slip = word.slice(0, -2) + word.slice(-1)
  expect((await found(admin, slip)).length).toBeGreaterThan(0)
  expect(await found(admin, 'zen2026-00009')).toEqual([])
})

test('returns only invoices within the user’s company, operations, permissions and own documents', async () => {
  const { companyId } = admin
  const other = await makeUser(server.db)
  const elsewhere = await makeOperation(server.db, { companyId })
  const limited = await makeUser(server.db, { companyId, role: 'manager', operationIds: [elsewhere.id] })
  const within = await makeUser(server.db, { companyId, role: 'manager', operationIds: [world.operation.id] })
  const without = await makeUser(server.db, { companyId, permissions: ['operations.read'] })
  const counts = await Promise.all(
    [other, limited, without, within].map(async (who) => (await found(who, 'zen')).length),
  )
  expect(counts).toEqual([0, 0, 0, 3])
  const mine = await found(client, 'zen')
  expect(mine.map(({ to }) => to)).toEqual([`/client-portal/invoices?facture=${mine[0]?.id}`])
  expect(mine[0]?.detail).toContain(nameOf(0))
})
