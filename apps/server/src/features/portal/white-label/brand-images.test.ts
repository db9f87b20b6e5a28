import { whiteLabel } from '@voisol/contract/white-label'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { files } from '../../../db/schema/index.ts'
import { buildPng } from './testing/png.ts'

const server = useServer()
const give = (who: { token: string; companyId: number }, upload: Buffer, kind: 'logo' | 'favicon' = 'logo') =>
  call(server, whiteLabel.addPicture, { params: { companyId: who.companyId }, query: { kind }, upload }, who)
const show = (url: string) => server.app.inject({ url })

test('a logo is given, shown to everybody, and can do nothing by itself', async () => {
  const admin = await makeUser(server.db)
  const { body, status } = await give(admin, buildPng())
  expect(status).toBe(200)
  expect(body).toMatchObject({ mediaType: 'image/png', width: 8, height: 8 })
  const shown = await show(body.src)
  expect(shown.statusCode).toBe(200)
  expect(shown.rawPayload.equals(buildPng())).toBe(true)
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
  expect((await show(body.src.replace('.png', '.svg'))).statusCode).toBe(404)
  expect((await show(body.src.replace(`/${admin.companyId}/`, '/999999/'))).statusCode).toBe(404)
})

test('what is no picture, what is too heavy and what is not one’s own are refused', async () => {
  const admin = await makeUser(server.db)
  expect((await give(admin, Buffer.from('<script>'))).status).toBe(422)
  expect((await give(admin, Buffer.alloc(2_000_000))).status).toBe(413)
  expect((await give(admin, Buffer.alloc(100_001), 'favicon')).body.detail).toContain('100')
  const stranger = await makeUser(server.db)
  expect((await give({ token: stranger.token, companyId: admin.companyId }, buildPng())).status).toBe(404)
})

test('another file of the company is not shown there', async () => {
  const { companyId } = await makeUser(server.db)
  const about = { companyId, name: 'mandat.png', mediaType: 'image/png', size: 1, sha256: 'a'.repeat(64) }
  const [row] = await server.db.insert(files).values(about).returning()
  expect((await show(`/api/companies/${companyId}/brand-pictures/${row?.id}.png`)).statusCode).toBe(404)
})

test('one that was given and never worn goes a day later, the worn one stays', async () => {
  const admin = await makeUser(server.db)
  const worn = (await give(admin, buildPng(9))).body.src
  const left = (await give(admin, buildPng(10))).body.src
  const body = { version: 0, customLogo: worn }
  await call(server, whiteLabel.update, { params: { companyId: admin.companyId }, body }, admin)
  await server.db
    .update(files)
    .set({ createdAt: new Date(Date.now() - 2 * 86_400_000) })
    .where(eq(files.companyId, admin.companyId))
  const fresh = (await give(admin, buildPng(11))).body.src
  expect([(await show(worn)).statusCode, (await show(left)).statusCode, (await show(fresh)).statusCode]).toEqual([
    200, 404, 200,
  ])
})

test('a picture is the company’s own, whatever number its address was written with', async () => {
  const admin = await makeUser(server.db)
  const file = `00000000-0000-4000-8000-000000000001.png`
  const body = { version: 0, customLogo: `/api/companies/999999/brand-pictures/${file}` }
  const saved = await call(server, whiteLabel.update, { params: { companyId: admin.companyId }, body }, admin)
  expect(saved.body.customLogo).toBe(`/api/companies/${admin.companyId}/brand-pictures/${file}`)
})
