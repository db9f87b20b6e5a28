import { distributorFiles } from '@voisol/contract/distributor-files'
import { buildR63, buildR63Rows } from '@voisol/file-formats/testing/r63-files'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { useDistributorFileServer } from '../../../../test/distributor-files.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildR15,
  buildR151,
  encryptArchive,
  packDistributorZip,
  TEST_FILE_KEY,
} from '../../../../test/factories-distributor.ts'
import { makeMeter } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { transaction } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { uploadDistributorFile } from './enedis-files.ts'

const { server, admin, meter, upload, find, settled, decode, wattsOf, indexesOf } = useDistributorFileServer()

describe('archives', () => {
  test('decrypts a ZIP after its initialisation vector with the company’s own key only', async () => {
    const owner = await makeUser(server.db)
    const point = await makeMeter(server.db, { companyId: owner.companyId })
    const archive = packDistributorZip({
      name: 'R63.csv',
      content: buildR63(buildR63Rows(point.prm, '2026-03-10', (n) => n + 1)),
    })
    const sent = await upload(encryptArchive(archive), 'ENEDIS_R63.zip', owner)
    expect(await settled(sent.body.id, owner)).toMatchObject({
      status: 'quarantined',
      reason: expect.stringContaining('aucune clé'),
    })
    await server.db.insert(syncSettings).values({
      companyId: owner.companyId,
      fileKey: server.deps.secrets.seal(TEST_FILE_KEY, `distributor files ${owner.companyId}`),
    })
    const again = await call(server, distributorFiles.retry, { params: { id: sent.body.id } }, owner)
    expect(again.body).toMatchObject({ status: 'waiting', reason: '' })
    expect(await settled(sent.body.id, owner)).toMatchObject({
      status: 'decoded',
      kind: 'R63',
      counts: { readings: 48 },
    })
    const other = await upload(encryptArchive(archive, TEST_FILE_KEY.replaceAll('0', 'f')), 'autre.zip', owner)
    const wrong = await settled(other.body.id, owner)
    expect(wrong.reason).toContain('ne s’ouvre pas avec la clé')
  })

  test('reads several files and a nested archive; one unreadable file puts all of them aside', async () => {
    const point = await meter()
    const good = { name: 'R151.xml', content: buildR151(point.prm, '2026-04-01', 5) }
    const inner = packDistributorZip({
      name: 'R63.csv',
      content: buildR63(buildR63Rows(point.prm, '2026-04-02', (n) => n)),
    })
    const file = await decode(packDistributorZip(good, { name: 'lot.zip', content: inner }))
    expect(file).toMatchObject({ status: 'decoded', kind: 'R151, R63', counts: { indexes: 1, readings: 48 } })
    const fresh = { name: 'R151.xml', content: buildR151(point.prm, '2026-05-01', 6) }
    const bad = {
      name: 'R15.xml',
      content: buildR15(point.prm, [{ to: '2026-05-01', dials: [{ measure: '3', value: 1 }] }]),
    }
    const aside = await decode(packDistributorZip(fresh, bad), 'lot.zip')
    expect(aside).toMatchObject({ status: 'quarantined', counts: {} })
    expect(aside.reason).toMatch(/«.R15\.xml.».: Point \d{14}.: .*relevé précédent/)
    expect(await indexesOf(point.id)).toHaveLength(1)
  })
})

describe('files put aside', () => {
  test('a file of unknown points waits until one of them exists', async () => {
    const prm = '18888888888888'
    const aside = await decode(buildR63(buildR63Rows(prm, '2026-03-10', (n) => n)))
    expect(aside).toMatchObject({ status: 'quarantined', reason: 'Aucun point de ce fichier n’est connu ici.' })
    const { rows } =
      await server.db.execute(sql`select code, subject from sync_errors where company_id = ${admin().companyId}
      and code = 'file-points'`)
    expect(rows).toEqual([{ code: 'file-points', subject: 'fichier.bin' }])
    await meter({ prm })
    await call(server, distributorFiles.retry, { params: { id: aside.id } }, admin())
    expect(await settled(aside.id)).toMatchObject({ status: 'decoded', counts: { newDays: 1 } })
    const conflict = await call(server, distributorFiles.retry, { params: { id: aside.id } }, admin())
    expect([conflict.status, conflict.body.message]).toEqual([409, 'Ce fichier est déjà lu et enregistré.'])
  })

  test('can be decoded again while the job that put it aside is ending', async () => {
    const prm = '18888888888889'
    const { id } = await decode(buildR63(buildR63Rows(prm, '2026-03-11', (n) => n)))
    await waitForJobs(server)
    await server.db.execute(sql`update jobs.job set state = 'active' where name = 'files.decode'
      and data ->> 'fileId' = ${id}`)
    await meter({ prm })
    await call(server, distributorFiles.retry, { params: { id } }, admin())
    expect(await settled(id)).toMatchObject({ status: 'decoded' })
  })

  test('one invalid row: stores nothing of the file', async () => {
    const point = await meter()
    const rows = buildR63Rows(point.prm, '2026-03-10', (n) => n)
    const aside = await decode(buildR63(rows, ['coupée']))
    expect(aside.reason).toContain('Ligne 50\u00a0: il manque des colonnes')
    expect(await wattsOf(point.id, '2026-03-10')).toEqual([])
  })

  test('can be deleted; a stored file cannot', async () => {
    const aside = await decode('<F15><En_Tete_Flux/></F15>', 'F15.xml')
    expect(aside.reason).toContain('flux F15')
    const gone = await call(server, distributorFiles.forget, { params: { id: aside.id } }, admin())
    expect(gone.body).toEqual({ success: true })
    expect(await find(aside.id)).toBeUndefined()
    expect((await call(server, distributorFiles.download, { params: { id: aside.id } }, admin())).status).toBe(404)
    const point = await meter()
    const kept = await decode(buildR151(point.prm, '2026-02-02', 1))
    const refused = await call(server, distributorFiles.forget, { params: { id: kept.id } }, admin())
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('gardé comme preuve')])
  })

  test('refuses an upload without content or name at once', async () => {
    expect((await upload('', 'vide.csv')).status).toBe(422)
    expect((await upload('x', '../')).status).toBe(422)
  })

  test('another company can neither see nor change the file', async () => {
    const aside = await decode('<X13/>', 'X13.xml')
    const stranger = await makeUser(server.db)
    expect((await call(server, distributorFiles.list, {}, stranger)).body.total).toBe(0)
    for (const e of [distributorFiles.download, distributorFiles.retry, distributorFiles.forget])
      expect((await call(server, e, { params: { id: aside.id } }, stranger)).status).toBe(404)
    // The same content of another company is a separate file.
    expect((await upload('<X13/>', 'X13.xml', stranger)).body.id).not.toBe(aside.id)
  })
})

test('decodes with the current permissions of the sender; another user may decode it again', async () => {
  const point = await meter()
  const sender = await makeUser(server.db, { companyId: admin().companyId, role: 'technician' })
  const sent = await transaction(server.db, (tx) => {
    const content = Buffer.from(buildR63(buildR63Rows(point.prm, '2026-03-17', (n) => n + 7)))
    const by = { companyId: sender.companyId, userId: sender.id }
    return uploadDistributorFile(tx, server.deps.files, by, { name: 'R63.csv', source: 'upload', content }).then(
      async (row) => {
        await tx.execute(sql`update memberships set role = 'reader' where user_id = ${sender.id}`)
        return row
      },
    )
  })
  expect(await settled(sent.id)).toMatchObject({
    status: 'quarantined',
    reason: expect.stringContaining('n’en a plus le droit'),
  })
  await call(server, distributorFiles.retry, { params: { id: sent.id } }, admin())
  expect(await settled(sent.id)).toMatchObject({ status: 'decoded', counts: { newDays: 1 } })
})
