import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataExports as api } from '@voisol/contract/exports'
import { eq } from 'drizzle-orm'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { buildCurveDay, makeMeter } from '../../../../test/factories-energy.ts'
import { getNodeArgs } from '../../../../test/process.ts'
import { useServer } from '../../../../test/server.ts'
import { dataExports } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { getExportDraftFolder, runExport } from './run-export.ts'
import { getDraftPath } from './write-export.ts'

const server = useServer()
const VICTIM = join(import.meta.dirname, '../../../../test/export-victim.ts')
const FROM = '2026-01-30'
const TO = '2026-02-03'
let admin: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  const points = []
  for (let n = 0; n < 40; n++) points.push(await makeMeter(server.db, { companyId }))
  const days = points.flatMap(({ id }, n) =>
    ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'].map((day) =>
      buildCurveDay(id, day, (at) => n * 1000 + at, 60),
    ),
  )
  await storeReadingsAndNotify(server.db, companyId, days, { source: 'model', receivedAt: new Date() })
})

const insertExport = async () => {
  const { companyId, id: userId } = admin
  const what = {
    dataSet: 'readings',
    format: 'parquet',
    dialect: 'french',
    from: FROM,
    to: TO,
    name: 'x',
    askedBy: 'x',
  }
  const [row] = await server.db
    .insert(dataExports)
    .values({ companyId, userId, ...what })
    .returning()
  if (!row) throw new Error('nothing was asked for')
  return row
}
const stateOf = async (id: string) => {
  const [row] = await server.db.select().from(dataExports).where(eq(dataExports.id, id))
  if (!row) throw new Error('it is gone')
  return row
}
const signal = new AbortController().signal
const contentOf = async (id: string) => {
  const { fileKey } = await stateOf(id)
  const bytes = await server.deps.files.get(fileKey)
  return new Uint8Array(bytes ?? []).buffer
}
async function killedAfter(id: string, parts: number) {
  const { dataDir } = server.deps.config
  const args = getNodeArgs(VICTIM, server.url, dataDir, String(admin.companyId), id, String(parts))
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('after kill -9, the resumed export gives the same file as an uninterrupted one', async () => {
  const whole = await insertExport()
  await runExport(server.deps, whole, { signal })
  const cut = await insertExport()
  await killedAfter(cut.id, 2)
  const held = await stateOf(cut.id)
  expect({ state: held.state, begun: held.rows > 0 && held.rows < 3840, cursor: held.cursor !== '' }).toEqual({
    state: 'running',
    begun: true,
    cursor: true,
  })
  // Simulates a part written to disk but not recorded as saved.
  appendFileSync(getDraftPath(getExportDraftFolder(server.deps, cut)), 'half a part')
  await runExport(server.deps, cut, { signal })
  expect(await stateOf(cut.id)).toMatchObject({ state: 'done', rows: 3840, failure: '' })
  expect(Buffer.from(await contentOf(cut.id))).toEqual(Buffer.from(await contentOf(whole.id)))
  expect(await parquetReadObjects({ file: await contentOf(cut.id) })).toHaveLength(3840)
  expect(existsSync(getExportDraftFolder(server.deps, cut))).toBe(false)
})

test('begins again when the draft is on another machine, and does not resume a cancelled export', async () => {
  const lost = await insertExport()
  await server.db
    .update(dataExports)
    .set({ state: 'running', rows: 960, bytes: 5000, cursor: ' a b 2026-02-01' })
    .where(eq(dataExports.id, lost.id))
  await runExport(server.deps, lost, { signal })
  expect(await stateOf(lost.id)).toMatchObject({ state: 'done', rows: 3840 })
  const left = await insertExport()
  await server.app.inject({
    method: 'POST',
    url: api.cancel.path.replace(':id', left.id),
    headers: { authorization: `Bearer ${admin.token}` },
  })
  await runExport(server.deps, left, { signal })
  expect(await stateOf(left.id)).toMatchObject({ state: 'cancelled', rows: 0, fileKey: '' })
})
