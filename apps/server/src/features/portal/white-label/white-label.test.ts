import { DEFAULT_WHITE_LABEL, whiteLabel } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { whiteLabels } from '../../../db/schema/index.ts'

const server = useServer()
const get = (companyId: number) => call(server, whiteLabel.get, { params: { companyId } })
const put = (token: string, companyId: number, body: Record<string, unknown>) =>
  call(server, whiteLabel.update, { params: { companyId }, body }, { token })

test('a company that chose nothing is answered like one that does not exist: numbers tell nothing', async () => {
  const company = await makeCompany(server.db, 'Les Voisins')
  const [there, nowhere] = [await get(company.id), await get(999_999)]
  expect(there.status).toBe(200)
  expect(there.headers['cache-control']).toBe('no-store')
  expect(there.body).toEqual({ ...DEFAULT_WHITE_LABEL, version: 0 })
  expect([nowhere.status, nowhere.text]).toEqual([there.status, there.text])
})

test('a picture is a path of this site, and one kept under an older rule is as if it were not', async () => {
  const admin = await makeUser(server.db)
  const bad = [
    '//evil.example/l.png',
    '/\\\\evil.example',
    '/a//b.png',
    '/../etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    '/.x',
  ]
  for (const customLogo of bad)
    expect((await put(admin.token, admin.companyId, { version: 0, customLogo })).status, customLogo).toBe(422)
  const kept = { customLogo: '//evil.example/l.png', logoUrl: '/api/site-images/l.png', companyName: 'Marque' }
  await server.db.insert(whiteLabels).values({ companyId: admin.companyId, config: kept, version: 3 })
  expect((await get(admin.companyId)).body).toMatchObject({ ...kept, customLogo: '', version: 3 })
})

test('a save keeps what it does not name, and an older state is refused', async () => {
  const admin = await makeUser(server.db)
  const id = admin.companyId
  expect((await put(admin.token, id, { version: 0, primaryColor: '#112233' })).body.version).toBe(1)
  const second = await put(admin.token, id, { version: 1, companyName: 'Marque', buttonStyle: 'pill' })
  expect(second.body).toMatchObject({ version: 2, primaryColor: '#112233', companyName: 'Marque' })
  expect((await get(id)).body).toEqual(second.body)
  expect((await put(admin.token, id, { version: 1, primaryColor: '#445566' })).body.code).toBe('stale')
  expect((await put(admin.token, id, { version: 2, companyName: '' })).body.companyName).not.toBe('')
})

test('the first save is one among several at once', async () => {
  const admin = await makeUser(server.db)
  const answers = await Promise.all(
    ['#000001', '#000002', '#000003'].map((primaryColor) =>
      put(admin.token, admin.companyId, { version: 0, primaryColor }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('only the administrators of the company change it, with values that are what they say', async () => {
  const admin = await makeUser(server.db)
  const client = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
  const stranger = await makeUser(server.db)
  const body = { version: 0, primaryColor: '#112233' }
  expect((await put(client.token, admin.companyId, body)).status).toBe(403)
  expect((await put(stranger.token, admin.companyId, body)).status).toBe(404)
  const bad = [
    { primaryColor: 'red;}body{display:none' },
    { fontFamily: 'x;url(//a)' },
    { customLogo: 'https://ailleurs.fr/l.png' },
    { borderRadius: 'calc(1px)' },
    { companyId: 3 },
  ]
  for (const more of bad) expect((await put(admin.token, admin.companyId, { ...body, ...more })).status).toBe(422)
  expect((await get(admin.companyId)).body.version).toBe(0)
})
