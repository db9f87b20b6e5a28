import { allocations } from '@voisol/contract/allocations'
import { keys } from '@voisol/contract/keys'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  makeOperationFixture,
  requestImpactPreview,
  requestKeyAdoption,
  requestKeyDraft,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
/** The Sunday when an hour occurs twice. */
const PERIOD = { from: '2025-10-26', to: '2025-10-28' }
const STEPS = 100 + 96

const send = (token: string, id: string, name: string, text: string, dryRun = 'false') =>
  call(
    server,
    keys.importCoefficients,
    { params: { id }, query: { name, dryRun }, upload: Buffer.from(text) },
    { token },
  )

async function exported(token: string, id: string, producerId: string, decimals = '1') {
  const answer = await call(
    server,
    allocations.coefficients,
    { params: { id, producerId }, query: { decimals } },
    { token },
  )
  return { name: /''(.*)$/.exec(String(answer.headers['content-disposition']))?.[1] ?? '', text: answer.text }
}

test('gives the rounded-down figures from an exported and imported key, with 1 Wh as surplus', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [4000], consumers: [3200, 1000, 1200] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const run = await runAllocation(server, here, PERIOD)
  const { name, text } = await exported(here.token, run.id, here.producers[0]?.id ?? '')
  expect(name).toBe(`${here.producers[0]?.prm}.csv`)
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(1 + STEPS)
  const prms = new Map(here.consumers.map(({ prm }, i) => [prm, ['59,2', '18,5', '22,2'][i]]))
  const columns = lines[0]?.split(';').slice(1) ?? []
  expect(lines[1]).toBe(`2025-10-26T00:00:00+02:00;${columns.map((prm) => prms.get(prm)).join(';')}`)

  const { body: key } = await requestKeyDraft(server, here, { method: 'simple', startsOn: PERIOD.from })
  expect(key.problems).toEqual([{ severity: 'warning', message: expect.stringContaining('la clé par défaut') }])
  const tried = await send(here.token, key.id, name, text, 'true')
  expect(tried.body).toEqual({
    producer: null,
    consumers: 3,
    ...PERIOD,
    steps: STEPS,
    problems: [],
    stored: false,
  })
  expect((await send(here.token, key.id, 'coefficients.csv', text)).body.stored).toBe(true)
  const { body: full } = await call(server, keys.get, { params: { id: key.id } }, { token: here.token })
  // Its files end there, while the version continues.
  const ends = [{ severity: 'warning', message: expect.stringContaining('du 28/10/2025 au') }]
  expect(full).toMatchObject({ problems: ends, coefficientDays: { ...PERIOD, days: 2 } })
  const change = { kind: 'adopt', id: key.id, body: { version: full.version } }
  const seen = await requestImpactPreview(server, change, here.token)
  const adopted = { params: { id: key.id }, body: { version: full.version, ...seen } }
  expect((await call(server, keys.adopt, adopted, { token: here.token })).status).toBe(200)
  const again = await runAllocation(server, here, PERIOD)
  expect(again).toMatchObject({
    counts: { steps: STEPS, excluded: 0, defaulted: 0 },
    totals: { surplus: STEPS * 60, allocated: STEPS * 999 * 60 },
  })
})

test('applies the default key to a step without coefficients, and counts it', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1000], consumers: [600, 600] })
  const { body: key } = await requestKeyDraft(server, here, { method: 'simple' })
  const [a, b] = here.consumers.map(({ prm }) => prm)
  const file = `Horodate;${a};${b}\n27/10/2025 00:00;10;20,5\n27/10/2025 00:15;0;0\n27/10/2025 00:30;;\n`
  expect((await send(here.token, key.id, 'pool.csv', file)).body).toMatchObject({ stored: true, steps: 3 })
  await call(server, keys.adopt, { params: { id: key.id }, body: { version: key.version + 1 } }, { token: here.token })
  const run = await runAllocation(server, here, PERIOD)
  expect(run.counts).toMatchObject({ steps: STEPS, defaulted: STEPS - 2 })
  expect(run.totals.allocated).toBe((STEPS - 2) * 15_000 + 4575)
})

test('shows before adoption how much and which days the files leave out', async () => {
  const period = { from: '2025-05-01', to: '2025-05-17' }
  const here = await makeOperationFixture(server, { ...period, producers: [997], consumers: [811, 419] })
  await requestKeyAdoption(server, here, { method: 'equal', startsOn: period.to })
  const { body: key } = await requestKeyDraft(server, here, { method: 'complete', startsOn: period.from })
  const day = (n: number) => `2025-05-0${n}`
  const lines = [1, 2, 3, 5].flatMap((n) => Array.from({ length: 96 }, (_, at) => `${day(n)} ${hour(at)};60;20`))
  const file = `Horodate;${here.consumers.map(({ prm }) => prm).join(';')}\n${lines.join('\n')}\n`
  await send(here.token, key.id, `${here.producers[0]?.prm}.csv`, file)
  const { body } = await call(server, keys.get, { params: { id: key.id } }, { token: here.token })
  expect(body.uncovered).toEqual({
    ...period,
    days: 12,
    steps: 12 * 96,
    gaps: [
      { from: '2025-05-04', to: '2025-05-05', steps: 96 },
      { from: '2025-05-06', to: '2025-05-17', steps: 96 },
    ],
  })
  expect(body.problems).toEqual([
    {
      severity: 'warning',
      message: expect.stringMatching(
        /^12 jours sur 16 .*1\s152 pas.*le 04\/05\/2025, du 06\/05\/2025 au 16\/05\/2025\./,
      ),
    },
  ])
})

test('imports one file per producer for a complete key, with its own shares', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [2400, 1600], consumers: [3200, 1200, 0] })
  const [p1, p2] = here.producers
  const [a, b] = here.consumers
  const { body: key } = await requestKeyDraft(server, here, {
    method: 'complete',
    shares: [{ pointId: a?.id ?? '', producerId: p1?.id ?? '', share: 1_000_000 }],
  })
  expect(key.problems).toMatchObject([{ severity: 'warning' }])
  const rows = (share: string) => Array.from({ length: 96 }, (_, at) => `2025-10-27 ${hour(at)};${share}`).join('\n')
  const file = `Horodate;${b?.prm}\n${rows('75')}\n`
  const pooled = await send(here.token, key.id, 'tous.csv', file)
  expect(pooled.body).toMatchObject({ stored: false, problems: [{ line: 1 }] })
  const stored = await send(here.token, key.id, `${p2?.prm}.csv`, file)
  expect(stored.body).toMatchObject({ stored: true, producer: p2?.prm, from: '2025-10-27', to: '2025-10-28' })
  await call(server, keys.adopt, { params: { id: key.id }, body: { version: key.version + 1 } }, { token: here.token })
  const run = await runAllocation(server, here, { from: '2025-10-27', to: '2025-10-28' })
  const { body } = await call(server, allocations.pairs, { params: { id: run.id } }, { token: here.token })
  const flows = body.items.map((item: { producerId: string; pointId: string; energy: number }) => [
    item.producerId === p1?.id ? 1 : 2,
    item.pointId === a?.id ? 'a' : 'b',
    item.energy,
  ])
  expect(flows.sort()).toEqual([
    [1, 'a', 96 * 600 * 60],
    [2, 'b', 96 * 300 * 60],
  ])
  const { text } = await exported(here.token, run.id, p2?.id ?? '', '2')
  expect(text.split('\r\n')[1]?.split(';').slice(1).sort()).toEqual(['0,00', '0,00', '75,00'])
})

const hour = (at: number) => `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`

test('reports errors by line and stores nothing', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1000, 1000], consumers: [600, 600] })
  const { body: key } = await requestKeyDraft(server, here, { method: 'simple' })
  const [a, b] = here.consumers.map(({ prm }) => prm)
  const head = `Horodate;${a};${b}\n`
  const problems = async (text: string, name = 'x.csv') => {
    const { body } = await send(here.token, key.id, name, text)
    expect(body.stored).toBe(false)
    return body.problems
  }
  expect(await problems(`${head}2025-10-27 00:00;60;50\n2025-10-27 00:15;a;1\n2025-10-27 00:15;1;1`)).toEqual([
    { line: 2, message: expect.stringContaining('110\u00a0%') },
    { line: 3, message: expect.stringContaining('n’est pas un pourcentage') },
    { line: 4, message: expect.stringContaining('figure déjà plus haut') },
  ])
  expect(await problems('Horodate;12345678901234\n2025-10-27 00:00;60')).toEqual([
    { line: 1, message: expect.stringContaining('Le PRM 12345678901234 n’est pas celui d’un consommateur') },
  ])
  expect(await problems('Date;Valeur\n1;2')).toMatchObject([{ line: 1 }])
  expect(await problems(`${head}2025-10-27 00:00;1;1\n2025-10-27 00:05;1;1`)).toMatchObject([{ line: 2 }])
  expect(await problems(`${head}2025-10-27 00:00;1;1`, `${here.producers[0]?.prm}.csv`)).toMatchObject([{ line: 1 }])
  expect(await problems(`${head}2025-10-27 00:00;1;1`, '12345678901234.csv')).toMatchObject([{ line: 1 }])
  const other = await requestKeyDraft(server, here, { method: 'default' })
  expect((await send(here.token, other.body.id, 'x.csv', head)).status).toBe(409)
})
