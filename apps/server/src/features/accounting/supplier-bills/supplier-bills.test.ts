import { supplierBills as api } from '@voisol/contract/supplier-bills'
import { drawParagraph } from '@voisol/documents/pdf/blocks'
import { closePdf, openPdf } from '@voisol/documents/pdf/document'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const odd = (a: number, b: number) => (at: number, day: string) => (at * a + Number(day.slice(8)) * b) % 1009
let here: Awaited<ReturnType<typeof makeOperationFixture>>
const [FROM, TO] = ['2025-10-20', '2025-11-04']

/** From 20 October to 3 November, including the day of 100 quarter-hours. */
beforeAll(async () => {
  here = await makeOperationFixture(server, {
    from: FROM,
    to: TO,
    producers: [odd(37, 113)],
    consumers: [odd(41, 97), odd(29, 89)],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  await runAllocation(server, here, { from: FROM, to: TO, kind: 'definitive' })
})

const check = async (more: object = {}) => {
  const bill = {
    pointId: here.consumers[0]?.id,
    supplier: 'EDF',
    number: 'F-77',
    from: FROM,
    to: TO,
    deductedKwh: 0,
    billedKwh: null,
  }
  return call(server, api.check, { body: { ...bill, ...more } }, { token: here.token })
}
const localOf = async (from: string, to: string) => {
  const { rows } = await server.db.execute<{ local: string }>(sql`
    select sum(local) as local from allocation_days d where company_id = ${here.companyId}
       and point_id = ${here.consumers[0]?.id} and day >= ${from} and day < ${to}`)
  return Number(rows[0]?.local)
}

test('checks a period over two months and a day of 100 quarter-hours to the kWh, with a claim letter', async () => {
  const local = await localOf(FROM, TO)
  const right = Math.round(local / 60_000)
  expect(right).toBeGreaterThan(2)
  expect((await check({ deductedKwh: right })).body).toMatchObject({
    verdict: 'right',
    expectedWh: Math.round(local / 60),
  })
  const { body } = await check({ deductedKwh: right - 2 })
  expect(body).toMatchObject({ verdict: 'short', parts: [{ source: 'definitive' }, { source: 'definitive' }] })
  const letter = await call(server, api.letter, { params: { id: body.id } }, { token: here.token })
  expect([letter.status, letter.headers['content-type']]).toEqual([200, 'application/pdf'])
  const { items } = (await call(server, api.list, {}, { token: here.token })).body
  expect(items.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['short', 'right'])
  const fine = await call(server, api.letter, { params: { id: items[1].id } }, { token: here.token })
  expect(fine.status).toBe(409)
})

test('reports a day without data, and prefers the distributor’s whole month to our figures', async () => {
  const beyond = (await check({ to: '2025-11-06', deductedKwh: 9 })).body
  expect([beyond.verdict, beyond.expectedWh]).toEqual(['unknown', null])
  expect(beyond.parts.at(-1)).toMatchObject({ from: '2025-11-04', to: '2025-11-06', source: 'missing', local: null })
  const month = { from: '2025-10-01', to: '2025-11-01' }
  await storeMonthQuantities(server.db, here, here.consumers[0]?.id ?? '', { ...month, classes: { HPB: 41, HCB: 7 } })
  const theirs = (await check({ ...month, deductedKwh: 48 })).body
  expect(theirs).toMatchObject({ verdict: 'right', expectedWh: 48_000, parts: [{ ...month, source: 'distributor' }] })
})

test('refuses an impossible check at its field', async () => {
  const issue = async (more: object) => (await check(more)).body.issues?.[0]?.path
  expect(await issue({ pointId: here.producers[0]?.id })).toBe('pointId')
  expect(await issue({ from: TO, to: FROM })).toBe('to')
  expect(await issue({ from: '2024-01-01', to: '2025-11-04' })).toBe('to')
  expect(await issue({ from: '2020-01-01', to: '2020-02-01' })).toBe('from')
  expect(await issue({ to: '2099-01-01', from: '2098-12-01' })).toBe('to')
  expect((await check({ pointId: crypto.randomUUID() })).status).toBe(404)
})

test('reads a PDF in a worker thread, and refuses another file', async () => {
  const sheet = openPdf({ title: 'Facture', subject: 'Facture' })
  for (const line of [
    'Engie, facture n° E-2026-00417',
    'PRM 19125759625988',
    'du 01/03/2026 au 31/03/2026',
    'Autoconsommation collective : 128 kWh',
  ])
    drawParagraph(sheet, line)
  const upload = Buffer.from(await closePdf(sheet, { title: 'Facture' }))
  const read = await call(server, api.read, { upload }, { token: here.token })
  expect(read.body).toMatchObject({
    supplier: 'Engie',
    prm: '19125759625988',
    from: '2026-03-01',
    to: '2026-04-01',
    deductedKwh: 128,
  })
  const bad = await call(server, api.read, { upload: Buffer.from('%PDF-1.7 rien') }, { token: here.token })
  expect([bad.status, bad.body.message]).toEqual([422, expect.stringContaining('PDF lisible')])
})
