import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connections as endpoints } from '@voisol/contract/connections'
import { dataExports } from '@voisol/contract/exports'
import { and, eq } from 'drizzle-orm'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { hasSshd, startSshd } from '../../../../test/sshd.ts'
import { memberships } from '../../../db/schema/index.ts'
import { readZip } from '../../../files/zip.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'
import { runConnection } from './run-connection.ts'

const server = useServer()

describe.skipIf(!hasSshd)('planned exports by SFTP (skipped where sshd is not installed)', () => {
  let sshd: Awaited<ReturnType<typeof startSshd>>
  beforeAll(async () => {
    server.deps.outside = createOutboundClient({ inner: true })
    sshd = await startSshd()
  })
  afterAll(() => sshd.close())

  test('sends each planned export once, with the permissions of whoever planned it', async () => {
    const owner = await makeUser(server.db)
    const planner = await makeUser(server.db, { companyId: owner.companyId })
    await makeOperation(server.db, { companyId: owner.companyId, name: 'Les Lilas' })
    const body = { kind: 'sftp', name: 'Dépôt', settings: sshd.settings, shipments: [] }
    const { body: made, status } = await call(server, endpoints.create, { body }, owner)
    expect(status).toBe(200)
    const planned = { connectionId: made.id, period: 'last-month', dataSet: 'operations' }
    for (const [who, name, format] of [
      [owner, 'Tableur', 'csv'],
      [planner, 'Chercheurs', 'parquet'],
    ] as const)
      expect((await call(server, dataExports.plan, { body: { ...planned, name, format } }, who)).status).toBe(200)
    const run = async () => {
      await runConnection(server.deps, { companyId: owner.companyId, id: made.id, askedBy: 'essai' })
      const [last] = (await call(server, endpoints.runs, { params: { id: made.id } }, owner)).body.items
      const { steps } = (await call(server, endpoints.run, { params: { id: made.id, runId: last.id } }, owner)).body
      return { state: last.state, files: last.files, texts: steps.map(({ text }: { text: string }) => text) }
    }
    expect(await run()).toEqual({
      state: 'done',
      files: 2,
      texts: ['operations.zip envoyé.', 'operations.parquet envoyé.'],
    })
    expect(readdirSync(sshd.drop).sort()).toEqual(['operations.parquet', 'operations.zip'])
    const arrived = (name: string) => readFileSync(join(sshd.drop, name))
    const [, , csv] = readZip(arrived('operations.zip'))
    expect(csv?.read().toString()).toContain('Les Lilas')
    const bytes = new Uint8Array(arrived('operations.parquet'))
    expect(await parquetReadObjects({ file: bytes.buffer })).toMatchObject([{ name: 'Les Lilas' }])
    const already = expect.stringContaining('déjà envoyé')
    expect(await run()).toMatchObject({ files: 0, texts: [already, already] })
    // The user who planned it has left: it is no longer sent, and does not block the other exports.
    await server.db
      .update(memberships)
      .set({ disabledAt: new Date() })
      .where(and(eq(memberships.companyId, owner.companyId), eq(memberships.userId, planner.id)))
    const { state, texts } = await run()
    expect([state, texts.length, texts[0]]).toEqual(['done', 2, already])
    expect(texts[1]).toMatch(/^Chercheurs.:/)
  })
})
