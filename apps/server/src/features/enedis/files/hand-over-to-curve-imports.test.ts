import { curves } from '@voisol/contract/curves'
import { distributorFiles } from '@voisol/contract/distributor-files'
import { and, eq } from 'drizzle-orm'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { useDistributorFileServer } from '../../../../test/distributor-files.ts'
import { packDistributorZip } from '../../../../test/factories-distributor.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { notifications } from '../../../db/schema/index.ts'

const { server, admin, meter, settled, decode, wattsOf } = useDistributorFileServer()

const hdm = (prm: string, unit: string, day = '2026-02-02') =>
  [
    'Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Grandeur metier;Etape metier;Unite;Pas en minutes',
    `${prm};Courbe de charge;02/02/2026;03/02/2026;Energie active;Consommation;Comptage Brut;${unit};`,
    'Horodate;Valeur',
    ...Array.from({ length: 48 }, (_, n) => {
      const end = new Date(Date.parse(`${day}T00:00:00Z`) + (n + 1) * 1_800_000).toISOString().slice(0, 19)
      return `${end}+01:00;${n + 37}`
    }),
    '',
  ].join('\n')

const waiting = async () =>
  (await call(server, curves.imports, { query: { status: 'ready', size: '100' } }, admin())).body
const waitsFor = (name: string) =>
  waitUntil(async () => {
    const { items } = await waiting()
    const found = items.find((item: { name: string }) => item.name === name)
    return found && (await call(server, curves.getImport, { params: { id: found.id } }, admin())).body
  })

describe('files that need an answer from a person', () => {
  test('a history without its unit waits in the curve imports and administrators are notified', async () => {
    const point = await meter()
    const file = await decode(hdm(point.prm, ''), 'HDM_C4.csv')
    expect(file).toMatchObject({
      status: 'quarantined',
      reason: expect.stringMatching(/^Ce fichier ne dit pas son unité/),
    })
    expect(await wattsOf(point.id, '2026-02-02')).toEqual([])
    const item = await waitsFor('HDM_C4.csv')
    expect(item.asked.questions.map(({ about }: { about: string }) => about)).toEqual(['unit'])
    expect(item.createdBy).toBe('')
    await waitForJobs(server)
    const told = await server.db
      .select()
      .from(notifications)
      .where(
        and(eq(notifications.companyId, admin().companyId), eq(notifications.title, 'Fichier de courbes à vérifier')),
      )
    expect(told).toMatchObject([{ message: expect.stringContaining('HDM_C4.csv') }])

    await call(server, distributorFiles.retry, { params: { id: file.id } }, admin())
    await settled(file.id)
    expect((await waiting()).total).toBe(1)
    expect((await call(server, distributorFiles.forget, { params: { id: file.id } }, admin())).status).toBe(200)
    await call(server, curves.choose, { params: { id: item.id }, body: { unit: 'W' } }, admin())
    await waitsFor('HDM_C4.csv')
    expect((await call(server, curves.commit, { params: { id: item.id } }, admin())).status).toBe(200)
    await waitUntil(async () => (await wattsOf(point.id, '2026-02-02')).length === 48)
  })

  test('a table or a workbook goes on to the curve imports, or is put aside when in an archive', async () => {
    const point = await meter()
    const table = `Horodate;${point.prm}\n2026-02-02 00:00;1\n2026-02-02 00:15;2\n`
    const aside = await decode(table, 'suivi.csv')
    expect(aside.reason).toMatch(/tableau de relevés.*attend dans les imports/)
    expect((await waitsFor('suivi.csv')).status).toBe('ready')
    const book = await writeXlsx({ sheets: [{ name: 'a', rows: table.split('\n').map((line) => line.split(';')) }] })
    expect((await decode(Buffer.from(book), 'suivi.xlsx')).reason).toMatch(/^Ce fichier est un classeur.*attend/)
    expect((await waitsFor('suivi.xlsx')).detected.format).toBe('wide')
    const packed = await decode(packDistributorZip({ name: 'dedans.csv', content: table }))
    expect(packed.reason).toMatch(/sortez-le de son archive/)
  })

  test('stores a history that needs no question', async () => {
    const point = await meter()
    const file = await decode(hdm(point.prm, 'W', '2026-02-05'))
    expect(file).toMatchObject({ status: 'decoded', kind: 'HDM', counts: { readings: 48 } })
  })
})
