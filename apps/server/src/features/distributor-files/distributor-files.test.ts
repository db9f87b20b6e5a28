import { gzipSync } from 'node:zlib'
import { distributorFiles } from '@voisol/contract/distributor-files'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../test/client.ts'
import { makeUser } from '../../../test/factories.ts'
import { makeMeter } from '../../../test/factories-curves.ts'
import {
  c15,
  cipherOf,
  FILE_KEY,
  r15,
  r63,
  r63Json,
  r63Rows,
  r64,
  r151,
  r171,
  zipOf,
} from '../../../test/factories-flows.ts'
import { makeOperation } from '../../../test/factories-operations.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/wait.ts'
import { syncSettings } from '../../db/schema/index.ts'
import { readCurves } from '../curves/read.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})

const upload = (content: Uint8Array | string, name = 'fichier.bin', as = admin) =>
  call(server, distributorFiles.upload, { query: { name, source: 'upload' }, upload: Buffer.from(content) }, as)
const find = async (id: string) => {
  const { body } = await call(server, distributorFiles.list, { query: { size: '100' } }, admin)
  return body.items.find((item: { id: string }) => item.id === id)
}
const settled = (id: string) =>
  until(async () => {
    const file = await find(id)
    return file && file.status !== 'waiting' && file
  })
async function decode(content: Uint8Array | string, name?: string) {
  const { status, body } = await upload(content, name)
  expect(status).toBe(200)
  return settled(body.id)
}
const meter = (more: Partial<Parameters<typeof makeMeter>[1]> = {}) =>
  makeMeter(server.db, { companyId: admin.companyId, ...more })
const wattsOf = async (id: string, day: string) => {
  const days = (await readCurves(server.db, admin.companyId, [id], '2025-01-01', '2027-01-01')).get(id) ?? []
  return [...(days.find((one) => one.day === day)?.watts ?? [])]
}
const indexesOf = async (pointId: string) =>
  (
    await server.db.execute(sql`select day::text, calendar, name, wh::int, source from distributor_indexes
      where point_id = ${pointId} order by day, source, calendar, name`)
  ).rows.map(({ day, calendar, name, wh, source }) => [day, calendar, name, wh, source].join(' '))
const quantitiesOf = async (pointId: string) =>
  (
    await server.db.execute(sql`select from_day::text as "from", to_day::text as "to", type, calendar, name, wh::int, operation_id as op
      from distributor_quantities where point_id = ${pointId} and superseded_at is null order by type, name`)
  ).rows.map(({ from, to, type, calendar, name, wh }) => [from, to, type, calendar, name, wh].join(' '))
const counted = (length: number) => Array.from({ length }, (_, n) => n + 1)

describe('curves', () => {
  test('R63: stored as the distributor’s, once; the same content again is the same file', async () => {
    const { id: operationId } = await makeOperation(server.db, { companyId: admin.companyId })
    const point = await meter({ operationId })
    const text = r63(
      r63Rows(point.prm, '2026-03-10', (n) => n + 1),
      r63Rows('19999999999999', '2026-03-10', () => 5),
    )
    const file = await decode(text, '../dossier/R63 mars.csv')
    expect(file).toMatchObject({
      ...{
        name: 'R63 mars.csv',
        kind: 'R63',
        status: 'decoded',
        reason: '',
        source: 'upload',
        size: Buffer.byteLength(text),
      },
      counts: {
        readings: 48,
        newDays: 1,
        changedDays: 0,
        sameDays: 0,
        unknownPoints: 1,
        events: 0,
        indexes: 0,
        quantities: 0,
      },
    })
    expect(await wattsOf(point.id, '2026-03-10')).toEqual(counted(48))
    const { rows } = await server.db.execute(sql`select source from curve_days where point_id = ${point.id}`)
    expect(rows).toEqual([{ source: 'enedis' }])
    const again = await upload(text, 'autre nom.csv')
    expect(again.body).toMatchObject({ id: file.id, name: 'R63 mars.csv', status: 'decoded' })
    const content = await call(server, distributorFiles.download, { params: { id: file.id } }, admin)
    expect([content.status, content.text]).toEqual([200, text])
    expect(String(content.headers['content-disposition'])).toContain("filename*=UTF-8''R63%20mars.csv")
  })

  test('other rows of the same day complete and correct it', async () => {
    const point = await meter()
    const rows = r63Rows(point.prm, '2026-03-11', (n) => n + 1)
    await decode(r63(rows.slice(0, 20)))
    const file = await decode(zipOf({ name: 'a/R63.csv', content: r63(rows) }))
    expect(file).toMatchObject({ kind: 'R63', counts: { newDays: 0, changedDays: 1 } })
    expect((await decode(gzipSync(r63(rows)))).counts).toMatchObject({ changedDays: 0, sameDays: 1 })
    expect(await wattsOf(point.id, '2026-03-11')).toEqual(counted(48))
  })

  test('R63 in JSON, and each direction to its own point', async () => {
    const point = await meter()
    const plant = await meter({ prm: point.prm, direction: 'production' })
    expect(await decode(r63Json(point.prm, '2026-10-25', (n) => n + 1))).toMatchObject({
      ...{ kind: 'R63', counts: { readings: 50, newDays: 1 } },
    })
    expect(await wattsOf(point.id, '2026-10-25')).toEqual(counted(50))
    await decode(r63(r63Rows(point.prm, '2026-10-25', () => 7, 'PROD')))
    expect(await wattsOf(plant.id, '2026-10-25')).toEqual(Array(50).fill(7))
    expect(await wattsOf(point.id, '2026-10-25')).toEqual(counted(50))
  })

  test('R50, R4x and HDM', async () => {
    const [home, hall] = [await meter(), await meter()]
    const r50 = `<R50><En_Tete_Flux><Libelle_Flux>Courbes de charge des PRM du segment C5 sur abonnement</Libelle_Flux><Pas_Publication>30</Pas_Publication></En_Tete_Flux><PRM><Id_PRM>${home.prm}</Id_PRM><Donnees_Releve><PDC><H>2026-02-02T00:30:00+01:00</H><V>476</V></PDC><PDC><H>2026-02-02T01:00:00+01:00</H><V>478</V></PDC></Donnees_Releve></PRM></R50>`
    const r4q = `<Courbe><Corps><Identifiant_PRM>${hall.prm}</Identifiant_PRM><Donnees_Courbe><Granularite>10</Granularite><Unite_Mesure>kW</Unite_Mesure><Grandeur_Metier>CONS</Grandeur_Metier><Grandeur_Physique>EA</Grandeur_Physique><Donnees_Point_Mesure Horodatage="2026-02-02T00:00:00+01:00" Valeur_Point="28" Statut_Point="R"/></Donnees_Courbe></Corps></Courbe>`
    const file = await decode(zipOf({ name: 'R50.xml', content: r50 }, { name: 'R4Q.xml', content: r4q }))
    expect(file).toMatchObject({ kind: 'R4x, R50', status: 'decoded', counts: { readings: 3, newDays: 2 } })
    expect((await wattsOf(home.id, '2026-02-02')).slice(0, 3)).toEqual([476, 478, -1])
    expect((await wattsOf(hall.id, '2026-02-02')).slice(0, 2)).toEqual([28_000, -1])
    const hdm = `Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Grandeur metier;Etape metier;Unite;Pas en minutes\n${home.prm};Courbe de charge;02/02/2026;03/02/2026;Energie active;Consommation;Comptage Brut;W;30\nHorodate;Valeur\n2026-02-03T00:30:00+01:00;12\n2026-02-04T00:00:00+01:00;14\n`
    expect(await decode(hdm)).toMatchObject({ kind: 'HDM', counts: { readings: 2 } })
  })
})

describe('indexes and collective readings', () => {
  test('R15: classes 3 to 6 become quantities, class 1 an index; a rectification replaces, an annulment removes', async () => {
    const { id: operationId } = await makeOperation(server.db, { companyId: admin.companyId })
    const point = await meter({ operationId })
    const plant = await meter({ prm: point.prm, direction: 'production', operationId })
    const dials = [
      { measure: '1', value: 10_160 },
      { measure: '2', value: 100 },
      { measure: '3', name: 'HPB', value: 95 },
      { measure: '3', name: 'HCB', value: 4 },
      { measure: '4', value: 215 },
      { measure: '5', value: 70 },
      { measure: '6', value: 50 },
    ]
    const august = { from: '2026-08-01', to: '2026-09-01' }
    const file = await decode(r15(point.prm, [{ ...august, dials, supplier: [{ measure: '3', value: 99 }] }]))
    expect(file).toMatchObject({ kind: 'R15', counts: { quantities: 5, indexes: 1, unknownPoints: 0 } })
    expect(await quantitiesOf(point.id)).toEqual([
      '2026-08-01 2026-09-01 autocons DISTRIB HCB 4000',
      '2026-08-01 2026-09-01 autocons DISTRIB HPB 95000',
      '2026-08-01 2026-09-01 complement DISTRIB BASE 215000',
    ])
    expect(await quantitiesOf(plant.id)).toEqual([
      '2026-08-01 2026-09-01 autocons DISTRIB BASE 70000',
      '2026-08-01 2026-09-01 surplus DISTRIB BASE 50000',
    ])
    expect(await indexesOf(point.id)).toEqual(['2026-09-01 DI000001 BASE 10160000 R15'])

    const better = [
      { measure: '1', value: 10_161 },
      { measure: '3', name: 'HPB', value: 96 },
      { measure: '3', name: 'HCB', value: 4 },
    ]
    const rectified = { ...august, status: 'RECTIFICATIF', dials: better }
    const cancelled = { ...august, status: 'ANNULE', dials }
    await decode(r15(point.prm, [rectified, cancelled], '2026-09-12T05:00:00+02:00'))
    expect(await quantitiesOf(point.id)).toEqual([
      '2026-08-01 2026-09-01 autocons DISTRIB HCB 4000',
      '2026-08-01 2026-09-01 autocons DISTRIB HPB 96000',
      '2026-08-01 2026-09-01 complement DISTRIB BASE 215000',
    ])
    expect(await indexesOf(point.id)).toEqual(['2026-09-01 DI000001 BASE 10161000 R15'])

    // An older file that comes late does not bring back what was replaced.
    await decode(
      r15(point.prm, [{ ...august, dials: [{ measure: '3', name: 'HPB', value: 1 }] }], '2026-09-03T05:00:00+02:00'),
    )
    expect((await quantitiesOf(point.id))[1]).toContain('HPB 96000')

    await decode(r15(point.prm, [cancelled], '2026-09-20T05:00:00+02:00'))
    expect([await quantitiesOf(point.id), await quantitiesOf(plant.id), await indexesOf(point.id)]).toEqual([
      [],
      [],
      [],
    ])
  })

  test('R151 closes its day, R64 and R171 open theirs', async () => {
    const point = await meter()
    await decode(r151(point.prm, '2026-02-02', 9_744_495))
    await decode(r64(point.prm, '2026-02-03', 2_675_549))
    const file = await decode(r171(point.prm, '2026-02-03', 12_345))
    expect(file).toMatchObject({ kind: 'R171', counts: { indexes: 1 } })
    expect(await indexesOf(point.id)).toEqual([
      '2026-02-03 DI1 BASE 9744495 R151',
      '2026-02-03 D HPH 12345 R171',
      '2026-02-03  TOTAL 5351098 R64',
      '2026-02-03 DI000003 HPB 2675549 R64',
    ])
  })

  test('C15: the event, its readings, and a word to the administrators when the holder leaves a running operation', async () => {
    const { id: operationId, name } = await makeOperation(server.db, { companyId: admin.companyId })
    const point = await meter({ operationId, label: 'Loge' })
    const [before, after] = [[{ measure: '1', value: 2531 }], [{ measure: '1', value: 9 }]]
    const text = c15(point.prm, { event: 'RES', on: '2026-06-15', collective: 1, before, after })
    expect(await decode(text)).toMatchObject({ kind: 'C15', counts: { events: 1, indexes: 2 } })
    await decode(`${text}\n`)
    expect(await indexesOf(point.id)).toEqual([
      '2026-06-15 DI000001 BASE 9000 C15',
      '2026-06-15 DI000001 BASE 2531000 C15-avant',
    ])
    const { body } = await call(server, distributorFiles.events, { query: { q: 'loge' } }, admin)
    expect(body).toMatchObject({
      total: 1,
      items: [{ prm: point.prm, pointId: point.id, label: 'Loge', event: 'RES', on: '2026-06-15', collective: 1 }],
    })
    expect(body.items[0].meaning).toContain('Résiliation')
    const { rows } = await server.db.execute(sql`select title, message from notifications where user_id = ${admin.id}
      and event_key like 'contract-event%'`)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.title).toBe('Contrat résilié\u00a0: Loge')
    expect(rows[0]?.message).toContain(name)
  })

  test('an event of a supplier’s change of entry tells nobody', async () => {
    const point = await meter()
    await decode(c15(point.prm, { event: 'CFNE', on: '2026-06-15' }))
    const { rows } = await server.db.execute(sql`select 1 from notifications where message like ${`%${point.prm}%`}`)
    expect(rows).toEqual([])
  })
})

describe('archives', () => {
  test('enciphered: the vector in front, a ZIP behind, opened with the company’s key alone', async () => {
    const owner = await makeUser(server.db)
    const point = await makeMeter(server.db, { companyId: owner.companyId })
    const archive = zipOf({ name: 'R63.csv', content: r63(r63Rows(point.prm, '2026-03-10', (n) => n + 1)) })
    const sent = await upload(cipherOf(archive), 'ENEDIS_R63.zip', owner)
    const of = async () => {
      const { body } = await call(server, distributorFiles.list, {}, owner)
      return body.items[0]
    }
    const aside = await until(async () => (await of()).status !== 'waiting' && of())
    expect(aside).toMatchObject({ status: 'quarantined', reason: expect.stringContaining('aucune clé') })
    await server.db.insert(syncSettings).values({
      companyId: owner.companyId,
      fileKey: server.deps.secrets.seal(FILE_KEY, `distributor files ${owner.companyId}`),
    })
    const again = await call(server, distributorFiles.retry, { params: { id: sent.body.id } }, owner)
    expect(again.body).toMatchObject({ status: 'waiting', reason: '' })
    const read = await until(async () => (await of()).status !== 'waiting' && of())
    expect(read).toMatchObject({ status: 'decoded', kind: 'R63', counts: { readings: 48 } })
    const other = await upload(cipherOf(archive, FILE_KEY.replaceAll('0', 'f')), 'autre.zip', owner)
    const wrong = await until(async () => {
      const { body } = await call(server, distributorFiles.list, {}, owner)
      const file = body.items.find(({ id }: { id: string }) => id === other.body.id)
      return file.status !== 'waiting' && file
    })
    expect(wrong.reason).toContain('ne s’ouvre pas avec la clé')
  })

  test('several files, an archive in the archive; one that cannot be read puts all of it aside', async () => {
    const point = await meter()
    const good = { name: 'R151.xml', content: r151(point.prm, '2026-04-01', 5) }
    const inner = zipOf({ name: 'R63.csv', content: r63(r63Rows(point.prm, '2026-04-02', (n) => n)) })
    const file = await decode(zipOf(good, { name: 'lot.zip', content: inner }))
    expect(file).toMatchObject({ status: 'decoded', kind: 'R151, R63', counts: { indexes: 1, readings: 48 } })
    const fresh = { name: 'R151.xml', content: r151(point.prm, '2026-05-01', 6) }
    const bad = {
      name: 'R15.xml',
      content: r15(point.prm, [{ to: '2026-05-01', dials: [{ measure: '3', value: 1 }] }]),
    }
    const aside = await decode(zipOf(fresh, bad), 'lot.zip')
    expect(aside).toMatchObject({ status: 'quarantined', counts: {} })
    expect(aside.reason).toMatch(/«.R15\.xml.».: Point \d{14}.: .*relevé précédent/)
    expect(await indexesOf(point.id)).toHaveLength(1)
  })
})

describe('put aside', () => {
  test('a file of points that nobody knows here, until one is', async () => {
    const prm = '18888888888888'
    const aside = await decode(r63(r63Rows(prm, '2026-03-10', (n) => n)))
    expect(aside).toMatchObject({ status: 'quarantined', reason: 'Aucun point de ce fichier n’est connu ici.' })
    const { rows } =
      await server.db.execute(sql`select code, subject from sync_errors where company_id = ${admin.companyId}
      and code = 'file-points'`)
    expect(rows).toEqual([{ code: 'file-points', subject: 'fichier.bin' }])
    await meter({ prm })
    await call(server, distributorFiles.retry, { params: { id: aside.id } }, admin)
    expect(await settled(aside.id)).toMatchObject({ status: 'decoded', counts: { newDays: 1 } })
    const conflict = await call(server, distributorFiles.retry, { params: { id: aside.id } }, admin)
    expect([conflict.status, conflict.body.message]).toEqual([409, 'Ce fichier est déjà lu et enregistré.'])
  })

  test('one broken row: nothing of the file is stored', async () => {
    const point = await meter()
    const rows = r63Rows(point.prm, '2026-03-10', (n) => n)
    const aside = await decode(r63(rows, ['coupée']))
    expect(aside.reason).toContain('Ligne 50\u00a0: il manque des colonnes')
    expect(await wattsOf(point.id, '2026-03-10')).toEqual([])
  })

  test('is forgotten when asked; what is stored is not', async () => {
    const aside = await decode('<F15><En_Tete_Flux/></F15>', 'F15.xml')
    expect(aside.reason).toContain('flux F15')
    const gone = await call(server, distributorFiles.forget, { params: { id: aside.id } }, admin)
    expect(gone.body).toEqual({ success: true })
    expect(await find(aside.id)).toBeUndefined()
    expect((await call(server, distributorFiles.download, { params: { id: aside.id } }, admin)).status).toBe(404)
    const point = await meter()
    const kept = await decode(r151(point.prm, '2026-02-02', 1))
    const refused = await call(server, distributorFiles.forget, { params: { id: kept.id } }, admin)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('gardé comme preuve')])
  })

  test('an empty upload, or one without a name, is refused at once', async () => {
    expect((await upload('', 'vide.csv')).status).toBe(422)
    expect((await upload('x', '../')).status).toBe(422)
  })

  test('another company sees and touches nothing of it', async () => {
    const aside = await decode('<X13/>', 'X13.xml')
    const stranger = await makeUser(server.db)
    expect((await call(server, distributorFiles.list, {}, stranger)).body.total).toBe(0)
    for (const e of [distributorFiles.download, distributorFiles.retry, distributorFiles.forget])
      expect((await call(server, e, { params: { id: aside.id } }, stranger)).status).toBe(404)
    // The same content is theirs too, apart.
    expect((await upload('<X13/>', 'X13.xml', stranger)).body.id).not.toBe(aside.id)
  })
})

test('twenty at once of one content leave one file', async () => {
  const point = await meter()
  const text = r151(point.prm, '2026-07-01', 77)
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(text)))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})
