import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeKey, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { keys } from '../../../db/schema/index.ts'
import { authenticateSession } from '../../../http/session.ts'
import { keyScope } from './stored-keys.ts'

const server = useServer()

async function company() {
  const { companyId, token } = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const made = [
    await makeKey(server.db, { companyId, operationId }),
    await makeKey(server.db, { companyId, operationId }),
  ]
  return { token, ids: made.map(({ id }) => id).sort() }
}

test('lets an administrator read the company’s keys, and none of another', async () => {
  for (const { token, ids } of [await company(), await company()]) {
    const scope = keyScope(await authenticateSession(server.db, token))
    const seen = await server.db.select({ id: keys.id }).from(keys).where(scope)
    expect(seen.map(({ id }) => id).sort()).toEqual(ids)
  }
})
