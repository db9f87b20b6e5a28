import { distributorFiles } from '@voisol/contract/distributor-files'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { useDistributorFileServer } from '../../../../test/distributor-files.ts'
import { buildC15, buildR15, buildR64, buildR151, buildR171 } from '../../../../test/factories-distributor.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'

const { server, admin, meter, decode, indexesOf, quantitiesOf } = useDistributorFileServer()

describe('indexes and collective self-consumption readings', () => {
  test('R15: stores classes 3 to 6 as quantities and class 1 as index, rectified or cancelled', async () => {
    const { id: operationId } = await makeOperation(server.db, { companyId: admin().companyId })
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
    const file = await decode(buildR15(point.prm, [{ ...august, dials, supplier: [{ measure: '3', value: 99 }] }]))
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
    await decode(buildR15(point.prm, [rectified, cancelled], '2026-09-12T05:00:00+02:00'))
    expect(await quantitiesOf(point.id)).toEqual([
      '2026-08-01 2026-09-01 autocons DISTRIB HCB 4000',
      '2026-08-01 2026-09-01 autocons DISTRIB HPB 96000',
      '2026-08-01 2026-09-01 complement DISTRIB BASE 215000',
    ])
    expect(await indexesOf(point.id)).toEqual(['2026-09-01 DI000001 BASE 10161000 R15'])

    // An older file that arrives later does not restore replaced values.
    await decode(
      buildR15(
        point.prm,
        [{ ...august, dials: [{ measure: '3', name: 'HPB', value: 1 }] }],
        '2026-09-03T05:00:00+02:00',
      ),
    )
    expect((await quantitiesOf(point.id))[1]).toContain('HPB 96000')

    await decode(buildR15(point.prm, [cancelled], '2026-09-20T05:00:00+02:00'))
    expect([await quantitiesOf(point.id), await quantitiesOf(plant.id), await indexesOf(point.id)]).toEqual([
      [],
      [],
      [],
    ])
  })

  test('R151 indexes close their day, R64 and R171 indexes open theirs', async () => {
    const point = await meter()
    await decode(buildR151(point.prm, '2026-02-02', 9_744_495))
    await decode(buildR64(point.prm, '2026-02-03', 2_675_549))
    const file = await decode(buildR171(point.prm, '2026-02-03', 12_345))
    expect(file).toMatchObject({ kind: 'R171', counts: { indexes: 1 } })
    expect(await indexesOf(point.id)).toEqual([
      '2026-02-03 DI1 BASE 9744495 R151',
      '2026-02-03 D HPH 12345 R171',
      '2026-02-03  TOTAL 5351098 R64',
      '2026-02-03 DI000003 HPB 2675549 R64',
    ])
  })

  test('C15: stores event and readings, and notifies administrators when a member leaves', async () => {
    const { id: operationId, name } = await makeOperation(server.db, { companyId: admin().companyId })
    const point = await meter({ operationId, label: 'Loge' })
    const [before, after] = [[{ measure: '1', value: 2531 }], [{ measure: '1', value: 9 }]]
    const text = buildC15(point.prm, { event: 'RES', on: '2026-06-15', collective: 1, before, after })
    expect(await decode(text)).toMatchObject({ kind: 'C15', counts: { events: 1, indexes: 2 } })
    await decode(`${text}\n`)
    expect(await indexesOf(point.id)).toEqual([
      '2026-06-15 DI000001 BASE 9000 C15',
      '2026-06-15 DI000001 BASE 2531000 C15-avant',
    ])
    const { body } = await call(server, distributorFiles.events, { query: { q: 'loge' } }, admin())
    expect(body).toMatchObject({
      total: 1,
      items: [
        {
          prm: point.prm,
          pointId: point.id,
          label: expect.stringMatching(/^Loge, Voisin \d+$/),
          event: 'RES',
          on: '2026-06-15',
          collective: 1,
        },
      ],
    })
    expect(body.items[0].meaning).toContain('Résiliation')
    await waitForJobs(server)
    const { rows } = await server.db.execute(sql`select title, message from notifications where user_id = ${admin().id}
      and event_key like 'contract-event%'`)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.title).toMatch(/^Contrat résilié\u00a0: Loge, Voisin \d+$/)
    expect(rows[0]?.message).toContain(name)
  })

  test('a change of supplier on entry notifies nobody', async () => {
    const point = await meter()
    await decode(buildC15(point.prm, { event: 'CFNE', on: '2026-06-15' }))
    await waitForJobs(server)
    const { rows } = await server.db.execute(sql`select 1 from notifications where message like ${`%${point.prm}%`}`)
    expect(rows).toEqual([])
  })
})
