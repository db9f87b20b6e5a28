import { feed } from '@voisol/contract/feed'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()

test('the three formats hold the same rows, limited to the company and operations of the reader', async () => {
  const [owner, other] = [await makeUser(server.db), await makeUser(server.db)]
  const { id } = await makeOperation(server.db, { companyId: owner.companyId, name: '=1+1' })
  await makeOperation(server.db, { companyId: other.companyId, name: 'Ailleurs' })
  await makeParticipation(server.db, { companyId: owner.companyId, operationId: id })
  const get = (e: typeof feed.operations | typeof feed.participants, format: string) =>
    call(server, e, { query: { format } }, owner)
  const json = (await get(feed.operations, 'json')).body
  expect(json).toMatchObject([{ id, name: '=1+1', created_at: expect.stringMatching(/Z$/) }])
  const csv = (await get(feed.operations, 'csv')).text.split('\r\n')
  expect([csv.length, csv[0]?.startsWith('\uFEFFid;name;')]).toEqual([3, true])
  expect(csv[1]).toContain("'=1+1")
  const [person] = (await get(feed.participants, 'json')).body
  expect(person.prm).toMatch(/^\d{14}$/)
})

test.each([
  'readings',
  'allocations',
  'allocationDays',
  'energies',
  'invoices',
  'invoiceLines',
  'payments',
  'entries',
] as const)('%s is an empty file for a month without data, and the month is required', async (name) => {
  const owner = await makeUser(server.db)
  expect((await call(server, feed[name], { query: { format: 'json', month: '2026-05' } }, owner)).body).toEqual([])
  expect((await call(server, feed[name], { query: { format: 'json' } }, owner)).status).toBe(422)
})
