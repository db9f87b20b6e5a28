import { tariffs } from '@voisol/contract/tariffs'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import {
  addToBuyerGroup,
  makePriceIndex,
  makeSellerWithoutAddress,
  makeTariffGroup,
  requestTariffAdoption,
  requestTariffDraft,
} from '../../../../test/factories-tariffs.ts'
import { useServer } from '../../../../test/server.ts'
import { operationBilling } from '../../../db/schema/index.ts'
import { loadPricesUnderTariff } from './operation-prices.ts'
import { loadPriceIssues } from './price-issues.ts'

const server = useServer()
const MARCH = { from: '2025-03-01', to: '2025-04-01' }
let here: Awaited<ReturnType<typeof scene>>
async function scene() {
  const admin = await makeUser(server.db)
  const { companyId, token } = admin
  const operation = await makeOperation(server.db, { companyId })
  const operationId = operation.id
  const plant = await makePoint(server.db, { companyId, direction: 'production', label: 'Toit de l’école' })
  const stay = await makeParticipation(server.db, { companyId, operationId, pointId: plant.id })
  const social = await makeParticipant(server.db, { companyId, name: 'Mme Morel' })
  const group = await makeTariffGroup(server.db, { companyId, name: 'Tarif social' })
  await addToBuyerGroup(server.db, companyId, social.id, group.id)
  const late = await makeParticipant(server.db, { companyId, name: 'M. Petit' })
  await makeParticipation(server.db, { companyId, operationId, participantId: social.id })
  await makeParticipation(server.db, { companyId, operationId, participantId: late.id, startsOn: '2025-03-11' })
  return { companyId, token, operation, operationId, plant, owner: stay.participantId, social, late, group }
}
beforeEach(async () => {
  here = await scene()
})
const issues = async (period = MARCH) => loadPriceIssues(server.db, here.companyId, here.operationId, period)
const said = async () => (await issues()).map(({ code, level, sentence }) => [code, level, sentence])

describe('price checks of a month', () => {
  test('ask for a tariff on every day with buyers', async () => {
    expect(await issues()).toEqual([
      {
        code: 'noTariff',
        level: 'blocking',
        sentence: 'Aucun tarif adopté du 01/03/2025 au 31/03/2025.',
        href: `/advanced-billing?tab=tarifs&operation=${here.operationId}`,
      },
    ])
    await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2025-03-15' })
    expect(await said()).toEqual([['noTariff', 'blocking', 'Aucun tarif adopté du 01/03/2025 au 14/03/2025.']])
    await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2024-11-02' })
    expect(await issues()).toEqual([])
    expect(await issues({ from: '2024-06-01', to: '2024-07-01' })).toEqual([])
  })

  test('name buyers without a price, from their first day', async () => {
    await requestTariffAdoption(server, here, { rules: [{ price: 0, group: here.group.id }] })
    expect(await said()).toEqual([
      [
        'noRule',
        'blocking',
        expect.stringMatching(
          /^Aucune règle ne donne de prix à tous les autres acheteurs pour l’énergie de Toit de l’école, .*, du 11\/03\/2025 au 31\/03\/2025\.$/,
        ),
      ],
    ])
  })

  test('ask for an index value that is not published', async () => {
    const index = await makePriceIndex(server.db, { companyId: here.companyId, name: 'ILC' })
    const { id } = index
    const word = (startsOn: string, value: string | null) =>
      call(server, tariffs.sayIndex, { params: { id }, body: { startsOn, value } }, here)
    await word('2025-01-01', '118.02')
    await word('2025-03-20', null)
    await requestTariffAdoption(server, here, { rules: [{ price: 1543, index: { indexId: id, base: '117.4' } }] })
    expect(await said()).toEqual([
      ['indexMissing', 'blocking', 'L’indice «\u00a0ILC\u00a0» n’est pas encore publié, du 20/03/2025 au 31/03/2025.'],
    ])
    expect((await issues())[0]?.href).toContain('tab=indices')
    await word('2025-03-20', '121.37')
    expect(await issues()).toEqual([])
  })

  test('warn of a price above the supplier’s or below the surplus price, except a social one', async () => {
    const bounds = { supplierPrice: 1987, surplusPrice: 613 }
    await server.db.insert(operationBilling).values({ ...here, ...bounds })
    const rules = [{ price: 2013 }, { price: 587, class: 'HCH' }, { price: 0, group: here.group.id }]
    await requestTariffAdoption(server, here, { rules })
    const found = await said()
    expect(found.map(([code, level]) => `${code} ${level}`)).toEqual(['priceDoubt warning', 'priceDoubt warning'])
    expect(found.map(([, , sentence]) => sentence)).toEqual([
      expect.stringMatching(/^20,13\u00a0c€\/kWh dépasse .*, du 11\/03\/2025 au 31\/03\/2025\.$/),
      expect.stringMatching(/^5,87\u00a0c€\/kWh est en dessous .*, du 11\/03\/2025 au 31\/03\/2025\.$/),
    ])
  })
})

describe('data of the tariff editor', () => {
  test('gives the matrix of a day under the version in force', async () => {
    await requestTariffAdoption(server, here, {
      rules: [{ price: 1543 }, { price: 0, group: here.group.id, label: 'Social' }],
    })
    await requestTariffAdoption(server, here, {
      rules: [{ price: 1611 }, { price: 97, buyer: here.late.id }],
      startsOn: '2025-03-15',
    })
    const matrix = async (day: string) =>
      (await call(server, tariffs.matrix, { params: { id: here.operationId }, query: { day } }, here)).body
    const first = await matrix('2025-03-14')
    expect(first).toMatchObject({ number: 1, day: '2025-03-14' })
    expect(first.rows).toEqual([
      { kind: 'others', id: null, name: 'Tous les autres acheteurs', buyers: 1 },
      { kind: 'group', id: here.group.id, name: 'Tarif social', buyers: 1 },
    ])
    expect(first.columns.map((column: { class: string }) => column.class)).toEqual(['HPH', 'HCH', 'HPB', 'HCB'])
    expect(first.cells.map((row: { price: number }[]) => row[0]?.price)).toEqual([1543, 0])
    const second = await matrix('2025-03-15')
    expect(second.rows.map(({ name }: { name: string }) => name)).toEqual(['Tarif social', 'M. Petit'])
    expect(second.cells.map((row: { price: number }[]) => row[0]?.price)).toEqual([1611, 97])
  })

  test('checks a typed version with its matrix and problems, and stores nothing', async () => {
    const rules = [
      { id: 'a', price: 1543 },
      { id: 'a', price: 1544 },
    ]
    const body = { startsOn: '2025-03-15', day: '2025-03-20', rules }
    const tried = await call(server, tariffs.tryOut, { params: { id: here.operationId }, body }, here)
    expect(tried.status).toBe(200)
    expect(tried.body.matrix.cells[0][0]).toMatchObject({ price: 1543, rule: '0' })
    expect(tried.body.problems).toMatchObject([{ severity: 'refused', rule: 1 }])
    const { items } = (await call(server, tariffs.list, { params: { id: here.operationId } }, here)).body
    expect(items).toEqual([])
  })

  test('lists what a tariff can refer to, and hides what the user may not see', async () => {
    const { companyId, operationId } = here
    const seller = await makeSellerWithoutAddress(server.db, {
      companyId,
      participantId: here.owner,
      name: 'SCI du Toit',
    })
    await makeSellerWithoutAddress(server.db, { companyId, participantId: here.late.id, name: 'Étranger' })
    const organiser = await makeSellerWithoutAddress(server.db, { companyId, name: 'PMO' })
    const { body } = await call(server, tariffs.choices, { params: { id: operationId } }, here)
    expect(body).toMatchObject({
      producers: [{ id: here.plant.id, name: expect.stringContaining('Toit de l’école') }],
      buyers: [
        { id: here.late.id, name: 'M. Petit', groupId: null },
        { id: here.social.id, name: 'Mme Morel', groupId: here.group.id },
      ],
      groups: [{ id: here.group.id, name: 'Tarif social' }],
      sellers: [
        { id: organiser.id, name: 'PMO' },
        { id: seller.id, name: 'SCI du Toit' },
      ],
      classes: ['HPH', 'HCH', 'HPB', 'HCB'],
      supplierPrice: null,
      openFrom: null,
    })
  })

  test('simulates one version on every day, a draft too', async () => {
    await requestTariffAdoption(server, here, { rules: [{ price: 1543 }] })
    const { body } = await requestTariffDraft(server, here, { rules: [{ price: 1702 }], startsOn: '2031-01-01' })
    const { tariffs: held } = await loadPricesUnderTariff(server.db, here.companyId, here.operationId, body.id)
    expect(held).toEqual([{ from: '1900-01-01', to: null, rules: [{ id: 'v2-001', price: 1702 }] }])
    const other = await scene()
    await expect(loadPricesUnderTariff(server.db, other.companyId, here.operationId, body.id)).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
