import { gzipSync } from 'node:zlib'
import { buildR63, buildR63Rows } from '@voisol/file-formats/testing/r63-files'
import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useDistributorFileServer } from '../../../../test/distributor-files.ts'
import { buildC15 } from '../../../../test/factories-distributor.ts'
import { makeOperation, makeRun } from '../../../../test/factories-energy.ts'
import { allocationRuns, auditEntries, events } from '../../../db/schema/index.ts'

const { server, admin, meter, decode } = useDistributorFileServer()
const listEventsOf = (name: string, object: string) =>
  server.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, admin().companyId), eq(events.name, name), eq(events.object, object)))
    .orderBy(asc(events.seq))

test('a file of curves records one event with its days, and marks runs from older curves as outdated', async () => {
  const { companyId } = admin()
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const point = await meter({ operationId })
  const place = { companyId, operationId }
  const run = await makeRun(server.db, { ...place, startsOn: '2026-03-31', endsOn: '2026-04-02' })
  const beside = await makeRun(server.db, { ...place, startsOn: '2026-04-03', endsOn: '2026-04-05' })
  const text = buildR63(
    buildR63Rows(point.prm, '2026-03-30', (n) => n + 1),
    buildR63Rows(point.prm, '2026-03-31', (n) => n + 3),
    buildR63Rows(point.prm, '2026-04-02', (n) => n + 5),
  )
  const file = await decode(text)
  const days = [
    { from: '2026-03-30', to: '2026-04-01' },
    { from: '2026-04-02', to: '2026-04-03' },
  ]
  const readings = [{ pointIds: [point.id], days }]
  const counts = { inserted: 3, changed: 0, same: 0 }
  expect((await listEventsOf('curves.received', file.id)).map(({ data }) => data)).toEqual([
    { source: 'file', ref: file.id, operations: [operationId], ...counts, readings },
  ])
  const aged = async (id: string) =>
    (await server.db.select().from(allocationRuns).where(eq(allocationRuns.id, id)))[0]?.staleAt !== null
  expect([await aged(run.id), await aged(beside.id)]).toEqual([true, false])
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.target, file.id))
  expect(entries).toMatchObject([{ actor: 'tâche files.decode', action: 'curves.received' }])
  const again = await decode(gzipSync(text))
  expect(again.counts).toMatchObject({ sameDays: 3 })
  expect(await listEventsOf('curves.received', again.id)).toEqual([])
})

test('several files announcing one departure notify once', async () => {
  const { id: operationId } = await makeOperation(server.db, { companyId: admin().companyId, status: 'active' })
  const point = await meter({ operationId, startsOn: '2026-01-05' })
  const text = buildC15(point.prm, { event: 'RES', on: '2026-06-15' })
  await decode(text)
  await decode(`${text}\n`)
  expect(await listEventsOf('departure.announced', point.id)).toMatchObject([
    { data: { operationId, pointId: point.id, event: 'RES', on: '2026-06-15' } },
  ])
})
