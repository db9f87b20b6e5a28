import { curves } from '@voisol/contract/curves'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { makeMeter, makeOperation } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { operations } from '../db/schema/index.ts'
import { authenticateSession } from '../http/session.ts'
import { operationScope } from './access-scopes.ts'

const server = useServer()

/** Two operations of one company: a client and a person unrelated to the site in the first, a client in the second. */
async function scene() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const person = () => makeUser(server.db, { companyId, isAdmin: false })
  const [here, there, nobody] = [await person(), await person(), await person()]
  const [first, second] = [await makeOperation(server.db, { companyId }), await makeOperation(server.db, { companyId })]
  await makeMeter(server.db, { companyId, operationId: first.id, userId: here.id, endsOn: '2025-05-17' })
  await makeMeter(server.db, { companyId, operationId: first.id })
  await makeMeter(server.db, { companyId, operationId: second.id, userId: there.id })
  return { admin, here, there, nobody, first: first.id, second: second.id }
}
const listVisibleOperationIds = async ({ token }: { token: string }) => {
  const scope = operationScope(await authenticateSession(server.db, token))
  return (await server.db.select({ id: operations.id }).from(operations).where(scope)).map(({ id }) => id).sort()
}

test('an administrator sees all operations of the company, a client those of their points', async () => {
  const { admin, here, there, nobody, first, second } = await scene()
  await scene()
  expect(await listVisibleOperationIds(admin)).toEqual([first, second].sort())
  expect(await listVisibleOperationIds(here)).toEqual([first])
  expect(await listVisibleOperationIds(there)).toEqual([second])
  expect(await listVisibleOperationIds(nobody)).toEqual([])
})

test('for a client, an operation of other people does not exist', async () => {
  const { here, there, nobody, first } = await scene()
  const query = { from: '2025-05-03', to: '2025-05-06', operationId: first, format: 'csv-data' }
  const answers = await Promise.all([here, there, nobody].map((who) => call(server, curves.export, { query }, who)))
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404])
})
