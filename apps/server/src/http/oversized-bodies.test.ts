import { Readable } from 'node:stream'
import { keys } from '@voisol/contract/keys'
import { participants } from '@voisol/contract/participants'
import { sync } from '@voisol/contract/sync'
import { users } from '@voisol/contract/users'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { makeOperationFixture, requestKeyDraft } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { findJsonLimitError, readBody } from './request-bodies.ts'

const server = useServer()
const wide = `PRM;Nom;${Array.from({ length: 200_003 }, (_, n) => `c${n}`).join(';')}`

test('a file of hundreds of thousands of columns is refused in French by every endpoint', async () => {
  const admin = await makeUser(server.db)
  const query = { name: 'a.csv', dryRun: 'true' }
  const file = await call(server, participants.import, { query, upload: Buffer.from(wide) }, admin)
  expect([file.status, file.body.issues]).toEqual([
    422,
    [{ path: 'file', message: expect.stringMatching(/plus de 500 colonnes/) }],
  ])
  const list = await call(server, users.import, { body: { csv: 'email;'.repeat(80_000), dryRun: true } }, admin)
  expect([list.status, list.body.message]).toEqual([422, expect.stringMatching(/plus de 500 colonnes/)])
})

test('coefficients with too many columns are refused before any is allocated', async () => {
  const scene = await makeOperationFixture(server, {
    from: '2025-05-01',
    to: '2025-05-02',
    producers: [1000],
    consumers: [600],
  })
  const { body: key } = await requestKeyDraft(server, scene, { method: 'simple' })
  const prms = Array.from({ length: 60_001 }, (_, n) => String(10_000_000_000_000 + n)).join(';')
  const rows = [1, 2, 3, 4].map((day) => `2025-05-0${day}T00:00:00+02:00;0`)
  const upload = Buffer.from([`Horodate;${prms}`, ...rows].join('\n'))
  const input = { params: { id: key.id }, query: { name: 'a.csv', dryRun: 'true' }, upload }
  const { body } = await call(server, keys.importCoefficients, input, scene)
  expect(body.problems).toEqual([{ line: 1, message: expect.stringMatching(/trop de colonnes/) }])
})

test('JSON with too many values or levels is refused before validation', async () => {
  const admin = await makeUser(server.db)
  const pointIds = Array(20_001).fill(0)
  const { status, body } = await call(server, sync.start, { body: { pointIds } }, admin)
  expect([status, body.message]).toEqual([413, expect.stringMatching(/trop d’éléments/)])
  expect(findJsonLimitError({ list: Array(20_000).fill(0) })).toBeNull()
  expect(findJsonLimitError(Array(100).fill(Array(1600).fill({ a: 1 })))?.status).toBe(413)
  const nest = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  expect(findJsonLimitError(nest(40))).toBeNull()
  expect(findJsonLimitError(nest(42))?.status).toBe(413)
  const few = await call(server, sync.handle, { body: { ids: Array(900).fill(0) } }, admin)
  expect([few.status, few.body.issues.length]).toEqual([422, 200])
})

test('a file is read into place, with or without a length, never beyond its limit', async () => {
  const pieces = () => Readable.from([Buffer.from('abc'), Buffer.alloc(1_500_000, 'd'), Buffer.from('e')])
  const whole = Buffer.concat(await pieces().toArray())
  expect(await readBody(pieces(), whole.length, 2_000_000)).toEqual(whole)
  expect(await readBody(pieces(), undefined, 2_000_000)).toEqual(whole)
  await expect(readBody(pieces(), undefined, 1_000_000)).rejects.toMatchObject({ code: 'too-large' })
  await expect(readBody(pieces(), 3_000_000, 2_000_000)).rejects.toMatchObject({ code: 'too-large' })
  await expect(readBody(pieces(), whole.length + 1, 2_000_000)).rejects.toMatchObject({ code: 'malformed' })
})
