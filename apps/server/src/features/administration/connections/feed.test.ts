import { feed } from '@voisol/contract/feed'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { makeParticipation } from '../../../../test/factories-participants.ts'
import { useServer } from '../../../../test/server.ts'
import { feedPieces } from './feed-formats.ts'
import { FEED_SETS, type FeedRow } from './feed-sets.ts'

const server = useServer()

async function bytesOf(pieces: AsyncIterable<Uint8Array>) {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  const { buffer, byteOffset, byteLength } = Buffer.concat(all)
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer // of a Buffer of ours
}

async function* groups(): AsyncGenerator<FeedRow[]> {
  const month = { month: '2026-05-01', operation_id: 'a', participant_id: 'b', direction: 'production' }
  yield [
    { ...month, prm: '00125759625988', total_wh: 12.345, local_wh: 0, total_watt_minutes: 741, local_watt_minutes: 0 },
  ]
  yield [
    {
      ...month,
      prm: '19125759625988',
      total_wh: null,
      local_wh: 7,
      total_watt_minutes: 9_007_199_254_740_991,
      local_watt_minutes: 420,
    },
  ]
}

test('Parquet holds what went in, group by group: numbers of points as text, exact integers, holes as holes', async () => {
  const rows = await parquetReadObjects({ file: await bytesOf(feedPieces(FEED_SETS.energies, groups(), 'parquet')) })
  expect(rows).toMatchObject([
    { month: new Date('2026-05-01'), prm: '00125759625988', total_wh: 12.345, total_watt_minutes: 741n },
    { prm: '19125759625988', total_wh: null, total_watt_minutes: 9_007_199_254_740_991n, local_watt_minutes: 420n },
  ])
})

test('the three formats tell the same of one’s own company, within one’s operations', async () => {
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

test.each(['energies', 'invoices', 'payments'] as const)(
  '%s of a month without any is an empty file, a month is asked for',
  async (name) => {
    const owner = await makeUser(server.db)
    expect((await call(server, feed[name], { query: { format: 'json', month: '2026-05' } }, owner)).body).toEqual([])
    expect((await call(server, feed[name], { query: { format: 'json' } }, owner)).status).toBe(422)
  },
)
