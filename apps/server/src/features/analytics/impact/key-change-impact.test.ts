import { curves } from '@voisol/contract/curves'
import { effects } from '@voisol/contract/effects'
import { keys } from '@voisol/contract/keys'
import { participations } from '@voisol/contract/points'
import { dayStart, listDays, localTime } from '@voisol/energy/calendar'
import { and, desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import {
  buildCurveDay,
  makeOperation,
  makeOperationFixture,
  requestImpactPreview,
  requestKeyAdoption,
  requestKeyDraft,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { auditEntries, participations as rows } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'

const server = useServer()
const PERIOD = { from: '2025-10-20', to: '2025-11-04' }

async function createTestScene(consumers: Parameters<typeof makeOperationFixture>[1]['consumers'] = [709, 503]) {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1_013], consumers })
  await requestKeyAdoption(server, here, { method: 'default' })
  const run = await runAllocation(server, here, PERIOD)
  const [seat] = await server.db
    .select()
    .from(rows)
    .where(eq(rows.pointId, here.consumers[0]?.id ?? ''))
  const body = { startsOn: '2025-10-23', endsOn: null, noticeOn: null, agreementSignedOn: null, version: 1 }
  return { ...here, run, change: { kind: 'dates', id: seat?.id ?? '', body } }
}
const preview = (change: object, token: string) => call(server, effects.preview, { body: change }, { token })

test('previews a key from the past over two months, with the repeated hour counted twice', async () => {
  const here = await createTestScene()
  const { body: draft } = await requestKeyDraft(server, here, { method: 'equal', startsOn: '2025-10-25' })
  const { id, version } = draft
  const params = { id }
  const refused = await call(server, keys.adopt, { params, body: { version } }, here)
  expect([refused.status, refused.body.code]).toEqual([409, 'effects-unseen'])
  const { body } = await preview({ kind: 'adopt', id, body: { version } }, here.token)
  expect(body.months.map(({ month }: { month: string }) => month)).toEqual(['2025-11-01', '2025-10-01'])
  // From 20 October to the end of the month: twelve days, of which Sunday 26 has 25 hours.
  expect(body.months[1].before.produced).toBe(1_013 * (12 * 24 + 1) * 60)
  expect(body.months[1].after.produced).toBe(body.months[1].before.produced)
  const word = { shown: body.shown }
  expect((await call(server, keys.adopt, { params, body: { version, ...word } }, here)).status).toBe(200)
})

test('refuses other shares than those previewed', async () => {
  const here = await createTestScene()
  const { items } = (await call(server, keys.list, { params: { id: here.operation.id } }, here)).body
  const [{ id, version }] = items
  const update = (first: number) => ({
    method: 'static',
    label: '',
    startsOn: '2025-01-01',
    decimals: 1,
    shares: here.consumers.map(({ id: pointId }, n) => ({ pointId, share: n ? 1_000_000 - first : first })),
    version,
  })
  const seen = await requestImpactPreview(server, { kind: 'key', id, body: update(613_000) }, here.token)
  const send = (first: number) =>
    call(server, keys.update, { params: { id }, body: { ...update(first), ...seen } }, here)
  expect((await send(387_000)).body.code).toBe('effects-unseen')
  expect((await send(613_000)).status).toBe(200)
})

test('counts missing values apart before and after', async () => {
  const here = await createTestScene([709, { watts: 503, silent: (day) => day === '2025-10-27' }])
  const { body } = await preview(here.change, here.token)
  const [october] = body.months
  const holed = october.members.find(({ before }: { before: { missing: number } | null }) => before?.missing)
  expect([holed.before.missing, holed.after.missing]).toEqual([96, 96])
  expect(october.before.missing).toBe(96)
})

test('shows a month without a key as unknown, with no invented figure', async () => {
  const here = await createTestScene()
  await server.db.execute('delete from key_shares')
  const { body: list } = await call(server, keys.list, { params: { id: here.operation.id } }, here)
  for (const { id } of list.items) await server.db.execute(`delete from keys where id = '${id}'`)
  const { body, status } = await preview(here.change, here.token)
  expect(status).toBe(200)
  for (const { after } of body.months) expect(after).toMatchObject({ produced: 0, allocated: 0 })
  expect(body.months[0].after.missing).toBeGreaterThan(0)
})

test('hides the preview from another company or a limited user', async () => {
  const here = await createTestScene()
  const stranger = await makeUser(server.db)
  const elsewhere = await makeOperation(server.db, { companyId: here.companyId })
  const limits = { companyId: here.companyId, role: 'admin', operationIds: [elsewhere.id] } as const
  const limited = await makeUser(server.db, { ...limits, operationIds: [elsewhere.id] })
  const key = (await call(server, keys.list, { params: { id: here.operation.id } }, here)).body.items[0]
  const update = { method: 'default', label: '', startsOn: '2025-01-01', decimals: 1, shares: [], version: key.version }
  const { body: dates } = here.change
  const bulk = { ids: [here.change.id], change: 'exit', on: '2025-10-29', noticeOn: null }
  for (const change of [here.change, { kind: 'bulk', body: bulk }, { kind: 'key', id: key.id, body: update }])
    for (const who of [stranger, limited]) {
      const { status, text } = await preview(change, who.token)
      expect([change.kind, status]).toEqual([change.kind, 404])
      expect(text).not.toContain('Voisin')
    }
  const draft = { operationId: here.operation.id, participantId: here.change.id, prm: '30001234560011' }
  const join = { ...draft, direction: 'consumption', startsOn: '2025-10-23' }
  const file = { kind: 'import', id: here.run.id, body: { overwrite: true } }
  for (const change of [
    { kind: 'join', body: join },
    { kind: 'transfer', id: here.change.id, body: { participantId: here.change.id, on: '2025-10-23' } },
    file,
  ])
    expect([change.kind, (await preview(change, stranger.token)).status]).toEqual([change.kind, 404])
  const known = await makeUser(server.db, { ...limits, operationIds: [here.operation.id] })
  expect((await preview({ ...here.change, body: dates }, known.token)).body.retroactive).toBe(true)
  const reader = await makeUser(server.db, { companyId: here.companyId, permissions: ['operations.read'] })
  expect((await preview(here.change, reader.token)).status).toBe(403)
})

test('logs the reason of a program without preview, and accepts none from a person', async () => {
  const here = await createTestScene()
  const { id, body } = here.change
  const params = { id }
  const key = await makeApiKey(server.db, here.admin, { permissions: ['participants.write'] })
  const send = (word: object, token: string) =>
    call(server, participations.update, { params, body: { ...body, ...word } }, { token })
  const anyway = 'Reprise de l’ancien outil, validée par le syndic.'
  expect((await send({}, key)).body.code).toBe('effects-unseen')
  expect((await send({ anyway: 'oui' }, key)).status).toBe(422)
  expect((await send({ anyway }, here.token)).status).toBe(422)
  expect((await send({ anyway }, key)).status).toBe(200)
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, here.companyId), eq(auditEntries.action, 'PATCH /api/participations/:id')))
    .orderBy(desc(auditEntries.seq))
    .limit(1)
  expect(entry?.detail).toMatchObject({ anyway })
})

const pad = (n: number) => String(n).padStart(2, '0')
const formatLocalTime = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day}T${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}:00+01:00`
}
/** Two days of winter time in an unambiguous format. */
const file = (prm: string, watts: number) =>
  [
    `Début;${prm} (W)`,
    ...listDays('2025-10-28', '2025-10-30').flatMap((day) =>
      Array.from({ length: 96 }, (_, at) => `${formatLocalTime(dayStart(day) + at * 15)};${watts}`),
    ),
    '',
  ].join('\n')

test('previews an import over computed days, and again when they change meanwhile', async () => {
  const here = await createTestScene()
  const [meter] = here.consumers
  const upload = Buffer.from(file(meter?.prm ?? '', 313))
  const { body: started } = await call(server, curves.upload, { query: { name: 'octobre.csv' }, upload }, here)
  const params = { id: started.id }
  const settled = (away: string) =>
    waitUntil(async () => {
      const { body } = await call(server, curves.getImport, { params }, here)
      return body.status !== away && body
    })
  expect(await settled('reading')).toMatchObject({ status: 'ready' })
  const commit = (word: object) => call(server, curves.commit, { params, body: { overwrite: true, ...word } }, here)
  expect((await commit({})).body.code).toBe('effects-unseen')
  const change = { kind: 'import', id: started.id, body: { overwrite: true } }
  const { body } = await preview(change, here.token)
  const [month] = body.months
  const own = month.members.find(({ prm }: { prm: string }) => prm === meter?.prm)
  expect(own.after.total - own.before.total).toBe((313 - 709) * 48 * 60)
  const correction = buildCurveDay(here.consumers[1]?.id ?? '', '2025-10-21', 607)
  await storeReadingsAndNotify(server.db, here.companyId, [correction], { source: 'api', receivedAt: new Date() })
  expect((await commit({ shown: body.shown })).status).toBe(409)
  expect((await commit(await requestImpactPreview(server, change, here.token))).status).toBe(200)
  expect(await settled('storing')).toMatchObject({ status: 'done' })
})
