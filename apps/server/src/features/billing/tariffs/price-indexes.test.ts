import { tariffs } from '@voisol/contract/tariffs'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { loadIndexTable } from './operation-prices.ts'
import { formatIndexComputation } from './price-matrix.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
let id: string
const create = (name: string) => call(server, tariffs.createIndex, { body: { name, source: 'INSEE' } }, admin)
const recordValue = (startsOn: string, value: string | null, source = '') =>
  call(server, tariffs.sayIndex, { params: { id }, body: { startsOn, value, source } }, admin)
const values = async () => (await loadIndexTable(server.db, admin.companyId)).get(id)?.values
beforeEach(async () => {
  admin = await makeUser(server.db)
  id = (await create('ILC')).body.id
})

describe('price index values', () => {
  test('can be announced, published and revised, with all values kept and the last one in force', async () => {
    await recordValue('2025-01-01', '118.02')
    await recordValue('2025-07-01', null)
    expect(await values()).toEqual([
      { from: '2025-01-01', value: '118.02' },
      { from: '2025-07-01', value: null },
    ])
    await recordValue('2025-07-01', '121,37', 'INSEE, 19/09/2025')
    const { body } = await recordValue('2025-07-01', '121.41')
    expect(await values()).toEqual([
      { from: '2025-01-01', value: '118.02' },
      { from: '2025-07-01', value: '121.41' },
    ])
    expect(body.words).toMatchObject([
      { startsOn: '2025-07-01', value: '121.41', holds: true, createdBy: admin.email },
      { startsOn: '2025-07-01', value: '121.37', holds: false, source: 'INSEE, 19/09/2025' },
      { startsOn: '2025-07-01', value: null, holds: false },
      { startsOn: '2025-01-01', value: '118.02', holds: true },
    ])
  })

  test('change nothing when recorded again, and cannot return to announced', async () => {
    await recordValue('2025-01-01', '118.02')
    expect((await recordValue('2025-01-01', '118.02')).body.words).toHaveLength(1)
    const back = await recordValue('2025-01-01', null)
    expect([back.status, back.body.message]).toEqual([
      409,
      'La valeur du 01/01/2025 est déjà publiée\u00a0: révisez-la.',
    ])
  })

  test('are recorded one after the other when saved at once', async () => {
    await Promise.all(['118.02', '118.03', '118.04', '118.05'].map((value) => recordValue('2025-01-01', value)))
    const { items } = (await call(server, tariffs.indexes, {}, admin)).body
    expect(items[0].words).toHaveLength(4)
    const held = items[0].words.find(({ holds }: { holds: boolean }) => holds)
    expect(await values()).toEqual([{ from: '2025-01-01', value: held.value }])
  })

  test.each(['0', '0.00', '-3', '12 3', '1e3', ''])('refuse %j', async (value) => {
    expect((await recordValue('2025-01-01', value)).body.issues).toMatchObject([{ path: 'value' }])
  })

  test('require a unique index name, and an index without values can be removed', async () => {
    const taken = await create('ILC')
    expect([taken.status, taken.body.issues]).toEqual([
      409,
      [{ path: 'name', message: 'Un indice porte déjà ce nom\u00a0: choisissez-en un autre.' }],
    ])
    const other = (await create('TRVE')).body
    const rename = (name: string, version: number) =>
      call(server, tariffs.updateIndex, { params: { id: other.id }, body: { name, source: '', version } }, admin)
    expect((await rename('ILC', 1)).status).toBe(409)
    expect((await rename('TRVE résidentiel', 1)).body).toMatchObject({ name: 'TRVE résidentiel', version: 2 })
    expect((await rename('TRVE', 1)).body.code).toBe('stale')
    const remove = (which: string) => call(server, tariffs.removeIndex, { params: { id: which } }, admin)
    await recordValue('2025-01-01', null)
    expect([(await remove(other.id)).status, (await remove(id)).status]).toEqual([200, 409])
  })
})

describe('indexed price computation', () => {
  test.each([
    [1543, '121.37', { base: '118.02', fixedBp: 2000 }, '15,43 c€ × (0,2 + 0,8 × 121,37 / 118,02) = 15,78 c€'],
    [1543, '121.37', { base: '118.02' }, '15,43 c€ × 121,37 / 118,02 = 15,87 c€'],
    [1543, '141.37', { base: '118.02', cap: 1700 }, '15,43 c€ × 141,37 / 118,02 = 18,48 c€, plafonné à 17,00 c€'],
    [
      1543,
      '91.37',
      { base: '118.02', floor: 1300 },
      '15,43 c€ × 91,37 / 118,02 = 11,95 c€, relevé au plancher de 13,00 c€',
    ],
    [1543, '121.37', { base: '118.02', fixedBp: 10_000 }, '15,43 c€ × (1 + 0 × 121,37 / 118,02) = 15,43 c€'],
    [1543, '121.37', { base: '118.02', fixedBp: 1525 }, '15,43 c€ × (0,1525 + 0,8475 × 121,37 / 118,02) = 15,80 c€'],
  ])('shows %i at %s with %j', (p0, value, terms, words) => {
    expect(formatIndexComputation(p0, value, terms).replaceAll('\u00a0', ' ')).toBe(words)
  })
})
