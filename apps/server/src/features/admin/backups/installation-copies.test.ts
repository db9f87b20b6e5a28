import { randomBytes } from 'node:crypto'
import { backups } from '@voisol/contract/backups'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { createTestDatabase } from '../../../../test/database.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { rechainSeries } from '../../../../test/factories-audit.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { createSecrets } from '../../../secrets.ts'
import { trackCopyRun } from './copy-runs.ts'
import { getCopyContentKey, openCopyStore } from './copy-store.ts'
import { backupJobs } from './jobs.ts'
import { runRestoreTest } from './restore-test.ts'

const server = useServer()
let invoicing = 0
let keeper: Awaited<ReturnType<typeof makeSiteAdmin>>
const TASK = { id: '', signal: AbortSignal.timeout(600_000) }
const loadInstallation = async () => (await call(server, backups.installation, {}, keeper)).body

beforeAll(async () => {
  keeper = await makeSiteAdmin(server.db)
  const days = { from: '2025-03-30', to: '2025-04-01' }
  const scene = await makeOperationFixture(server, { ...days, producers: [613], consumers: [311, 409] })
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, days)
  const month = await makeMonthFixture(server.db, { companyId: scene.companyId, prefix: 'COP' })
  await issueMonthDocuments(withoutSubscribers(server.db), month, server.deps.secrets)
  invoicing = scene.companyId
})

const scratch = async () => {
  const { url, ownerUrl, drop } = await createTestDatabase(inject('postgres'), 'template0')
  return { url, ownerUrl, remove: drop }
}

describe('the keeper', () => {
  test('asks for a copy, sees it made, and nobody else does', async () => {
    expect((await call(server, backups.start, {}, keeper)).status).toBe(200)
    await waitForJobs(server)
    const { copies, runs, trouble } = await loadInstallation()
    expect(trouble).toBeNull()
    expect(copies).toMatchObject([{ keptFor: ['day', 'week', 'month'], proved: null, missing: 0 }])
    expect(runs).toMatchObject([{ kind: 'copy', state: 'done', askedBy: expect.stringContaining('Camille') }])
    const stranger = await makeUser(server.db)
    expect((await call(server, backups.installation, {}, stranger)).status).toBe(403)
    expect((await call(server, backups.start, {}, stranger)).status).toBe(403)
    const params = { name: copies[0].name }
    expect((await call(server, backups.content, { params }, stranger)).status).toBe(403)
    const file = await call(server, backups.content, { params }, keeper)
    expect(file.headers['content-disposition']).toContain(`${params.name}.voisol`)
  })

  test('sees a drill with its counts, its chains and its proofs', async () => {
    const name = (await loadInstallation()).copies[0].name
    await trackCopyRun(server.deps, { kind: 'drill', copy: name, askedBy: 'Voisol' }, () =>
      runRestoreTest(server.deps, name, scratch),
    )
    const { runs, copies } = await loadInstallation()
    expect(runs[0]).toMatchObject({ kind: 'drill', state: 'done', failure: null })
    expect(runs[0].findings.map(({ label, ok }: { label: string; ok: boolean }) => [label, ok])).toEqual([
      ['Lignes et fichiers', true],
      ['Journal d’audit', true],
      ['Preuves de répartition', true],
      ['Numéros de factures', true],
    ])
    expect(runs[0].findings[2].detail).toMatch(/^1 calcul retrouvé/)
    expect(copies[0].proved).toMatchObject({ kind: 'drill', ok: true })
  })

  test('restores issued invoices where the key was changed since: they verify; a series chained anew does not', async () => {
    const name = (await loadInstallation()).copies[0].name
    const { deps } = server
    const key = randomBytes(32)
    const config = { ...deps.config, secretKey: key, formerKeys: [deps.config.secretKey] }
    const findingOf = async (one: typeof deps, copy: string) =>
      (await runRestoreTest(one, copy, scratch)).findings?.find(({ label }) => label === 'Numéros de factures')
    const rotated = { ...deps, config, secrets: createSecrets(key, config.formerKeys) }
    expect(await findingOf(rotated, name)).toMatchObject({ ok: true, detail: expect.stringContaining('1 série') })
    await rechainSeries(server, invoicing)
    expect((await call(server, backups.start, {}, keeper)).status).toBe(200)
    await waitForJobs(server)
    const later = (await loadInstallation()).copies[0].name
    expect(later).not.toBe(name)
    const found = await findingOf(deps, later)
    expect(found?.ok).toBe(false)
    expect(found?.detail).toContain('aucune clé de cette installation ne l’a signé')
  })

  test('is told by notification and mail when a copy no longer reads', async () => {
    const { copies } = await loadInstallation()
    const { name } = copies[0]
    const place = openCopyStore(server.deps.config)
    const content = Buffer.from((await place.get(getCopyContentKey(name))) ?? [])
    content.writeUInt8(content.readUInt8(content.length >> 1) ^ 4, content.length >> 1)
    await place.put(getCopyContentKey(name), content, 'application/octet-stream')
    await expect(backupJobs['copies.verify'].run(server.deps, { askedBy: 'Voisol', name }, TASK)).rejects.toThrow(
      'abîmée',
    )
    await waitForJobs(server)
    expect((await loadInstallation()).copies[0].proved).toMatchObject({ kind: 'verify', ok: false })
    const [mail] = await listMailsTo(server, keeper.email)
    expect(mail?.subject).toBe('Une copie de l’installation ne se relit pas')
    expect(mail?.text).toContain('abîmée')
  })

  test('sets the hour and what is kept, once per version', async () => {
    const body = { enabled: true, hour: 4, drillDay: 3, days: 5, weeks: 2, months: 1, version: 1 }
    expect((await call(server, backups.saveSchedule, { body }, keeper)).body).toMatchObject({ hour: 4, version: 2 })
    expect((await call(server, backups.saveSchedule, { body }, keeper)).status).toBe(409)
    expect((await loadInstallation()).schedule).toEqual({ ...body, version: 2 })
    const none = { ...body, days: 0, version: 2 }
    expect((await call(server, backups.saveSchedule, { body: none }, keeper)).status).toBe(422)
    const query = { days: '1', weeks: '0', months: '0' }
    expect((await call(server, backups.preview, { query }, keeper)).body).toMatchObject({ steady: [{}], leaving: [] })
  })

  test('without a key is told which variable is missing', async () => {
    const config = server.deps.config
    const { backupKey } = config
    config.backupKey = undefined
    try {
      const { status, body } = await call(server, backups.start, {}, keeper)
      expect(status).toBe(409)
      expect(body.message).toContain('BACKUP_KEY manque')
      expect((await loadInstallation()).trouble).toContain('BACKUP_KEY manque')
    } finally {
      config.backupKey = backupKey
    }
  })

  test('sees one made by itself at its hour, once, and never on the first day', async () => {
    const states = async () =>
      (await loadInstallation()).runs.filter(({ kind }: { kind: string }) => kind === 'copy').length
    const due = async () => {
      await backupJobs['copies.due'].run(server.deps, {}, TASK)
      await waitForJobs(server)
      return states()
    }
    const before = await states()
    expect(await due()).toBe(before)
    await server.asOwner(`delete from copy_runs`)
    expect(await due()).toBe(0)
    await server.asOwner(`update companies set created_at = now() - interval '3 days'`)
    expect(await due()).toBe(1)
    expect(await due()).toBe(1)
  })

  test('sees one that failed at its hour tried again an hour later, and one whose process was killed as well', async () => {
    const retried = async (state: string) => {
      await server.asOwner(`delete from copy_runs`)
      await server.asOwner(`insert into copy_runs (kind, state, asked_by) values ('copy', '${state}', 'Voisol')`)
      await backupJobs['copies.due'].run(server.deps, {}, TASK)
      await waitForJobs(server)
      const copies = (await loadInstallation()).runs.filter(({ kind }: { kind: string }) => kind === 'copy')
      return copies.map((run: { state: string }) => run.state)
    }
    expect(await retried('failed')).toEqual(['done', 'failed'])
    expect(await retried('running')).toEqual(['done', 'failed'])
  })
})
