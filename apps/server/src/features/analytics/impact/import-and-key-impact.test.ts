import { effects } from '@voisol/contract/effects'
import { keys } from '@voisol/contract/keys'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import {
  makeOperationFixture,
  requestImpactPreview,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participations as rows } from '../../../db/schema/index.ts'

const server = useServer()
const PERIOD = { from: '2025-10-20', to: '2025-11-04' }
const ramp = (watts: number) => (at: number) => watts + 7 * (at % 2)

async function createTestScene(method = 'default') {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [ramp(413)], consumers: [ramp(709), 503] })
  await requestKeyAdoption(server, here, { method })
  await runAllocation(server, here, PERIOD)
  return here
}
type Scene = Awaited<ReturnType<typeof createTestScene>>

const previewFile = (query: object, upload: Buffer, token: string) =>
  call(server, effects.previewFile, { query, upload }, { token })

const members = (from: string) =>
  Buffer.from(`Nom;Prénom;PRM;Rôle;Date d’entrée\nRoy;Inès;30001234560917;Consommateur;${from}\n`)
const enrol = (here: Scene, upload: Buffer, more: object, token = here.token) => {
  const query = { name: 'voisins.csv', operationId: here.operation.id, dryRun: 'false', ...more }
  return call(server, participants.import, { query, upload }, { token })
}
const listParticipations = async ({ operation }: Scene) =>
  (await server.db.select().from(rows).where(eq(rows.operationId, operation.id))).length

test('previews and then stores imported members of computed months', async () => {
  const here = await createTestScene()
  const upload = () => members('23/10/2025')
  const refused = await enrol(here, upload(), {})
  expect([refused.status, refused.body.code, await listParticipations(here)]).toEqual([409, 'effects-unseen', 3])
  expect((await enrol(here, upload(), { dryRun: 'true' })).status).toBe(200)
  const asked = { kind: 'enrol', id: here.operation.id, name: 'voisins.csv' }
  const { body } = await previewFile(asked, upload(), here.token)
  const months = body.months.map(({ month }: { month: string }) => month)
  expect([body.retroactive, months, await listParticipations(here)]).toEqual([true, ['2025-11-01', '2025-10-01'], 3])
  const names = body.months[0].members.map(({ name }: { name: string }) => name)
  expect(names.join(' ')).toContain('Inès Roy')
  // Another file needs its own preview.
  expect((await enrol(here, members('24/10/2025'), { shown: body.shown })).body.code).toBe('effects-unseen')
  expect((await enrol(here, upload(), { shown: body.shown })).status).toBe(200)
  expect(await listParticipations(here)).toBe(4)
})

test('needs no preview for members who start in the future', async () => {
  const here = await createTestScene()
  const asked = { kind: 'enrol', id: here.operation.id, name: 'voisins.csv' }
  const { body } = await previewFile(asked, members('01/03/2027'), here.token)
  expect([body.retroactive, body.shown]).toEqual([false, null])
  expect((await enrol(here, members('01/03/2027'), {})).status).toBe(200)
})

test('requires a reason from a program that imports without preview', async () => {
  const here = await createTestScene()
  const key = await makeApiKey(server.db, here.admin, { permissions: ['participants.create'] })
  expect((await enrol(here, members('23/10/2025'), {}, key)).body.code).toBe('effects-unseen')
  const anyway = 'Reprise de l’ancien outil, validée par le syndic.'
  expect((await enrol(here, members('23/10/2025'), { anyway }, key)).status).toBe(200)
})

const pad = (n: number) => String(n).padStart(2, '0')
const stamp = (at: number) => `28/10/2025 ${pad(Math.floor(at / 4))}:${pad(15 * (at % 4))}`
const coefficients = ({ consumers }: Scene, first: number) =>
  Buffer.from(
    [
      `Horodate;${consumers.map(({ prm }) => prm).join(';')}`,
      ...Array.from({ length: 96 }, (_, at) => `${stamp(at)};${first};${100 - first}`),
      '',
    ].join('\n'),
  )

test('previews coefficients for computed days of an adopted key', async () => {
  const here = await createTestScene('simple')
  const { items } = (await call(server, keys.list, { params: { id: here.operation.id } }, here)).body
  const params = { id: items[0].id }
  const lay = (upload: Buffer, word: object) =>
    call(
      server,
      keys.importCoefficients,
      { params, query: { name: 'pot.csv', dryRun: 'false', ...word }, upload },
      here,
    )
  const refused = await lay(coefficients(here, 23), {})
  expect([refused.status, refused.body.code]).toEqual([409, 'effects-unseen'])
  const asked = { kind: 'coefficients', id: params.id, name: 'pot.csv' }
  const { body } = await previewFile(asked, coefficients(here, 23), here.token)
  expect(body.months.map(({ month }: { month: string }) => month)).toEqual(['2025-10-01'])
  expect((await lay(coefficients(here, 29), { shown: body.shown })).body.code).toBe('effects-unseen')
  expect((await lay(coefficients(here, 23), { shown: body.shown })).body.stored).toBe(true)
})

test('previews another step and the end of an operation', async () => {
  const here = await createTestScene()
  const { operation, token } = here
  const params = { id: operation.id }
  const { body: now } = await call(server, operations.get, { params }, here)
  const names = Object.keys(operations.update.body.shape).filter((name) => name !== 'shown' && name !== 'anyway')
  const input = { ...Object.fromEntries(names.map((name) => [name, now[name]])), stepMinutes: 30 }
  const save = (word: object) => call(server, operations.update, { params, body: { ...input, ...word } }, here)
  expect((await save({})).body.code).toBe('effects-unseen')
  const change = { kind: 'operation', id: operation.id, body: input }
  const { body } = await call(server, effects.preview, { body: change }, here)
  expect(body.months.length).toBe(2)
  expect((await save({ shown: body.shown })).status).toBe(200)
  const { body: after } = await call(server, operations.get, { params }, here)
  const close = { status: 'closed', version: after.version }
  // It ends today, and no later day was computed.
  const seen = await requestImpactPreview(server, { kind: 'status', id: operation.id, body: close }, token)
  expect(seen).toEqual({})
  expect((await call(server, operations.move, { params, body: close }, here)).status).toBe(200)
})

test('refuses the preview of a file to a user who may not import it', async () => {
  const here = await createTestScene()
  const stranger = await makeUser(server.db)
  const asked = { kind: 'enrol', id: here.operation.id, name: 'voisins.csv' }
  expect((await previewFile(asked, members('23/10/2025'), stranger.token)).status).toBe(404)
  const reader = await makeUser(server.db, { companyId: here.companyId, permissions: ['operations.read'] })
  expect((await previewFile(asked, members('23/10/2025'), reader.token)).status).toBe(403)
})
