import { DEFAULT_WHITE_LABEL, whiteLabel } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const get = (companyId: number) => call(server, whiteLabel.get, { params: { companyId } })
const put = (token: string, companyId: number, body: Record<string, unknown>) =>
  call(server, whiteLabel.update, { params: { companyId }, body }, { token })

test('anybody reads it: the defaults with the company’s name until something is stored', async () => {
  const company = await makeCompany(server.db, 'Les Voisins')
  const { status, headers, body } = await get(company.id)
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toEqual({ ...DEFAULT_WHITE_LABEL, companyName: 'Les Voisins', version: 0 })
  expect((await get(999_999)).status).toBe(404)
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
