import { gzipSync } from 'node:zlib'
import { distributorFiles } from '@voisol/contract/distributor-files'
import { buildR63, buildR63Rows } from '@voisol/file-formats/testing/r63-files'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { rangeFromOne, useDistributorFileServer } from '../../../../test/distributor-files.ts'
import { buildR63Json, buildR151, packDistributorZip } from '../../../../test/factories-distributor.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'

const { server, admin, meter, upload, decode, wattsOf } = useDistributorFileServer()

describe('load curves', () => {
  test('R63: stores distributor readings once; the same content again is the same file', async () => {
    const { id: operationId } = await makeOperation(server.db, { companyId: admin().companyId })
    const point = await meter({ operationId })
    const text = buildR63(
      buildR63Rows(point.prm, '2026-03-10', (n) => n + 1),
      buildR63Rows('19999999999999', '2026-03-10', () => 5),
    )
    const file = await decode(text, '../dossier/R63 mars.csv')
    expect(file).toMatchObject({
      name: 'R63 mars.csv',
      kind: 'R63',
      status: 'decoded',
      reason: '',
      source: 'upload',
      size: Buffer.byteLength(text),
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
    expect(await wattsOf(point.id, '2026-03-10')).toEqual(rangeFromOne(48))
    const { rows } = await server.db.execute(sql`select source from curve_days where point_id = ${point.id}`)
    expect(rows).toEqual([{ source: 'enedis' }])
    const again = await upload(text, 'autre nom.csv')
    expect(again.body).toMatchObject({ id: file.id, name: 'R63 mars.csv', status: 'decoded' })
    const content = await call(server, distributorFiles.download, { params: { id: file.id } }, admin())
    expect([content.status, content.text]).toEqual([200, text])
    expect(String(content.headers['content-disposition'])).toContain("filename*=UTF-8''R63%20mars.csv")
  })

  test('other rows of the same day complete and correct it', async () => {
    const point = await meter()
    const rows = buildR63Rows(point.prm, '2026-03-11', (n) => n + 1)
    await decode(buildR63(rows.slice(0, 20)))
    const file = await decode(packDistributorZip({ name: 'a/R63.csv', content: buildR63(rows) }))
    expect(file).toMatchObject({ kind: 'R63', counts: { newDays: 0, changedDays: 1 } })
    expect((await decode(gzipSync(buildR63(rows)))).counts).toMatchObject({ changedDays: 0, sameDays: 1 })
    expect(await wattsOf(point.id, '2026-03-11')).toEqual(rangeFromOne(48))
  })

  test('R63 in JSON: each direction goes to its own point', async () => {
    const point = await meter()
    const plant = await meter({ prm: point.prm, direction: 'production' })
    expect(await decode(buildR63Json(point.prm, '2026-10-25', (n) => n + 1))).toMatchObject({
      kind: 'R63',
      counts: { readings: 50, newDays: 1 },
    })
    expect(await wattsOf(point.id, '2026-10-25')).toEqual(rangeFromOne(50))
    await decode(buildR63(buildR63Rows(point.prm, '2026-10-25', () => 7, 'PROD')))
    expect(await wattsOf(plant.id, '2026-10-25')).toEqual(Array(50).fill(7))
    expect(await wattsOf(point.id, '2026-10-25')).toEqual(rangeFromOne(50))
  })

  test('stores R50, R4x and HDM files', async () => {
    const [home, hall] = [await meter(), await meter()]
    const r50 = `<R50><En_Tete_Flux><Libelle_Flux>Courbes de charge des PRM du segment C5 sur abonnement</Libelle_Flux><Pas_Publication>30</Pas_Publication></En_Tete_Flux><PRM><Id_PRM>${home.prm}</Id_PRM><Donnees_Releve><PDC><H>2026-02-02T00:30:00+01:00</H><V>476</V></PDC><PDC><H>2026-02-02T01:00:00+01:00</H><V>478</V></PDC></Donnees_Releve></PRM></R50>`
    const r4q = `<Courbe><Corps><Identifiant_PRM>${hall.prm}</Identifiant_PRM><Donnees_Courbe><Granularite>10</Granularite><Unite_Mesure>kW</Unite_Mesure><Grandeur_Metier>CONS</Grandeur_Metier><Grandeur_Physique>EA</Grandeur_Physique><Donnees_Point_Mesure Horodatage="2026-02-02T00:00:00+01:00" Valeur_Point="28" Statut_Point="R"/></Donnees_Courbe></Corps></Courbe>`
    const file = await decode(packDistributorZip({ name: 'R50.xml', content: r50 }, { name: 'R4Q.xml', content: r4q }))
    expect(file).toMatchObject({ kind: 'R4x, R50', status: 'decoded', counts: { readings: 3, newDays: 2 } })
    expect((await wattsOf(home.id, '2026-02-02')).slice(0, 3)).toEqual([476, 478, -1])
    expect((await wattsOf(hall.id, '2026-02-02')).slice(0, 2)).toEqual([28_000, -1])
    const hdm = `Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Grandeur metier;Etape metier;Unite;Pas en minutes\n${home.prm};Courbe de charge;02/02/2026;03/02/2026;Energie active;Consommation;Comptage Brut;W;30\nHorodate;Valeur\n2026-02-03T00:30:00+01:00;12\n2026-02-04T00:00:00+01:00;14\n`
    expect(await decode(hdm)).toMatchObject({ kind: 'HDM', counts: { readings: 2 } })
  })
})

test('twenty concurrent uploads of one content create one file', async () => {
  const point = await meter()
  const text = buildR151(point.prm, '2026-07-01', 77)
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(text)))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})
