import { distributorFiles as endpoints } from '@voisol/contract/distributor-files'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { contractEvents, distributorFiles, files } from '../../../db/schema/index.ts'

const server = useServer()

async function makeFileAndEvent() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const [kept] = await server.db
    .insert(files)
    .values({ companyId, name: 'flux.xml', mediaType: 'text/xml', size: 17, sha256: 'a' })
    .returning()
  const row = { companyId, name: 'flux.xml', sha256: 'a', status: 'quarantined', size: 17, source: 'upload' }
  const [file] = await server.db
    .insert(distributorFiles)
    .values({ ...row, fileId: kept?.id ?? '', receivedAt: new Date() })
    .returning()
  await server.db.insert(contractEvents).values({ companyId, prm: '30001234567890', event: 'CFNS', on: '2025-03-07' })
  return { admin, id: file?.id }
}
const count = async (e: typeof endpoints.list | typeof endpoints.events, token: string) =>
  (await call(server, e, {}, { token })).body.total

test('files and their data are visible to their own company only', async () => {
  const [here, there] = [await makeFileAndEvent(), await makeFileAndEvent()]
  for (const { admin } of [here, there])
    expect([await count(endpoints.list, admin.token), await count(endpoints.events, admin.token)]).toEqual([1, 1])
  for (const e of [endpoints.download, endpoints.retry, endpoints.forget])
    expect([e.path, (await call(server, e, { params: { id: there.id } }, here.admin)).status]).toEqual([e.path, 404])
  expect(await count(endpoints.list, there.admin.token)).toBe(1)
})
