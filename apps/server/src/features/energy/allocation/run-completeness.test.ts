import { allocations, type MemberCompleteness } from '@voisol/contract/allocations'
import { audit } from '@voisol/contract/audit'
import { keys } from '@voisol/contract/keys'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  makeOperationFixture,
  requestAllocationRun,
  requestKeyAdoption,
  requestKeyDraft,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import type { KeyVersion } from '../../../core/allocation-keys.ts'
import { auditEntries } from '../../../db/schema/index.ts'

const server = useServer()
const MONTH = { from: '2025-05-01', to: '2025-06-01' }
const reason = 'Compteurs hors service, relevé manuel demandé au distributeur.'
const meters = [611, 419, 307, 263, 211, 173, 151]

/** Seven households, two without any reading: the second has its own label, the sixth its holder's name. */
const sevenHomes = (period = MONTH) =>
  makeOperationFixture(server, {
    ...period,
    producers: [1187],
    consumers: meters.map((watts, n) => ({
      watts,
      ...(n === 1 && { label: 'Bât. B, 2e gauche', silent: () => true }),
      ...(n === 5 && { silent: (day: string) => day >= '2025-05-17' }),
    })),
  })

const membersOf = async (id: string, token: string): Promise<MemberCompleteness[]> =>
  (await call(server, allocations.completeness, { params: { id } }, { token })).body.members

test('requires a sign-off for two silent meters of seven, and records its author on run and log', async () => {
  const here = await sevenHomes()
  await requestKeyAdoption(server, here, { method: 'default' })
  const refused = await requestAllocationRun(server, here, { ...MONTH, kind: 'definitive' })
  expect([refused.status, refused.body.code]).toEqual([422, 'incomplete'])
  const [b, f] = [here.consumers[1], here.consumers[5]]
  const said = refused.body.issues.map(({ message }: { message: string }) => message)
  expect(said).toHaveLength(2)
  expect(said).toEqual(
    expect.arrayContaining([
      expect.stringMatching(`Bât. B, 2e gauche, Voisin \\d+ \\(${b?.prm}\\).*31 jours, du 01/05/2025 au 31/05/2025`),
      expect.stringMatching(`Voisin \\d+ \\(${f?.prm}\\).*15 jours, du 17/05/2025 au 31/05/2025`),
    ]),
  )
  expect(refused.body.message).toContain(b?.prm)
  const short = await requestAllocationRun(server, here, { ...MONTH, kind: 'definitive', signOff: { reason: 'vu' } })
  expect(short.status).toBe(422)

  const run = await runAllocation(server, here, { ...MONTH, kind: 'definitive', signOff: { reason } })
  expect(run).toMatchObject({
    status: 'done',
    counts: { steps: 2976, excluded: 0, consumerMissing: 2976 },
    signOff: { reason, missing: said },
  })
  expect(run.signOff.by).not.toBe('')
  const energy = (watts: number, days: number) => watts * 15 * 96 * days
  const others = meters.reduce((sum, watts, n) => (n === 1 ? sum : sum + energy(watts, n === 5 ? 16 : 31)), 0)
  expect(run.totals.consumed).toBe(others)

  const members = await membersOf(run.id, here.token)
  expect(members.slice(0, 3)).toMatchObject([
    { pointId: b?.id, prm: b?.prm, label: 'Bât. B, 2e gauche', missing: 2976, measured: 0, steps: 2976 },
    {
      pointId: f?.id,
      missing: 15 * 96,
      measured: 16 * 96,
      gaps: [{ from: '2025-05-17', to: '2025-06-01', steps: 96 }],
    },
    { missing: 0, gaps: [], measured: 2976 },
  ])
  const { body: journal } = await call(server, audit.list, { query: { q: 'Calcul définitif' } }, { token: here.token })
  expect(journal.items).toHaveLength(1)
  expect(journal.items[0].target).toContain(reason)
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, here.companyId), eq(auditEntries.seq, Number(journal.items[0].id))))
  expect(entry?.detail).toMatchObject({ runId: run.id, reason, missing: said })
})

test('reports no gap in a definitive run with complete data', async () => {
  const here = await sevenHomes()
  await requestKeyAdoption(server, here, { method: 'default' })
  const early = { from: '2025-05-03', to: '2025-05-06' }
  const refused = await requestAllocationRun(server, here, { ...early, kind: 'definitive' })
  expect(refused.body.issues).toHaveLength(1)
  const provisional = await runAllocation(server, here, early)
  expect(provisional).toMatchObject({ status: 'done', signOff: null, counts: { excluded: 0, consumerMissing: 288 } })
})

test('names a producer without readings and requires a sign-off, instead of counting zero', async () => {
  const here = await makeOperationFixture(server, {
    from: '2025-05-01',
    to: '2025-05-06',
    producers: [{ watts: 1187, silent: (day) => day === '2025-05-03' }, 307],
    consumers: [811, 419],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  const period = { from: '2025-05-01', to: '2025-05-06' }
  const refused = await requestAllocationRun(server, here, { ...period, kind: 'definitive' })
  expect(refused.body.issues).toEqual([
    {
      path: 'signOff',
      message: expect.stringMatching(`^Producteur .*${here.producers[0]?.prm}.*1 jour, le 03/05/2025.$`),
    },
  ])
  const run = await runAllocation(server, here, { ...period, kind: 'definitive', signOff: { reason } })
  expect(run.counts).toMatchObject({ excluded: 0, producerMissing: 96 })
  expect(run.totals.produced).toBe((4 * 1187 + 5 * 307) * 96 * 15)
})

const row = (day: string, at: number, share: string) => {
  const clock = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
  return `${day} ${clock};${share}`
}

test('applies the default rule to days outside a complete key’s files, and reports them', async () => {
  const period = { from: '2025-05-01', to: '2025-05-17' }
  const here = await makeOperationFixture(server, { ...period, producers: [997], consumers: [811, 419] })
  const { body: key }: { body: KeyVersion } = await requestKeyDraft(server, here, { method: 'complete' })
  const days = ['01', '02', '03', '04', '05'].map((day) => `2025-05-${day}`)
  const lines = days.flatMap((day) => Array.from({ length: 96 }, (_, at) => row(day, at, '60;20')))
  const file = `Horodate;${here.consumers.map(({ prm }) => prm).join(';')}\n${lines.join('\n')}\n`
  const query = { name: `${here.producers[0]?.prm}.csv`, dryRun: 'false' }
  const sent = { params: { id: key.id }, query, upload: Buffer.from(file) }
  expect((await call(server, keys.importCoefficients, sent, { token: here.token })).body.stored).toBe(true)
  const adopted = { params: { id: key.id }, body: { version: key.version + 1 } }
  expect((await call(server, keys.adopt, adopted, { token: here.token })).status).toBe(200)

  const refused = await requestAllocationRun(server, here, { ...period, kind: 'definitive' })
  expect(refused.body.issues).toEqual([
    {
      path: 'signOff',
      message: expect.stringMatching(/11 jours \(1\s056 pas\), du 06\/05\/2025 au 16\/05\/2025.*prorata/),
    },
  ])
  const run = await runAllocation(server, here, { ...period, kind: 'definitive', signOff: { reason } })
  expect(run.counts).toMatchObject({ defaulted: 11 * 96, excluded: 0 })
  // By the file 60 % and 20 % of 997 W; then all of it, since 1 230 W are consumed. In watt-minutes, rounded down to
  // the available total.
  expect(run.totals.allocated).toBe(5 * 96 * Math.floor(0.8 * 997 * 15) + 11 * 96 * 997 * 15)
  const { body } = await call(server, allocations.completeness, { params: { id: run.id } }, { token: here.token })
  expect(body.uncovered).toEqual([{ from: '2025-05-06', to: '2025-05-17', steps: 96 }])
})
