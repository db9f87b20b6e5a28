import { tariffs } from '@voisol/contract/tariffs'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant } from '../../../../test/factories-energy.ts'
import {
  insertClosedMonth,
  makeSellerWithoutAddress,
  makeTariffDiscount,
  makeTariffFee,
  makeTariffGroup,
} from '../../../../test/factories-tariffs.ts'
import { useServer } from '../../../../test/server.ts'
import { loadOperationPrices } from './operation-prices.ts'

const server = useServer()
let place: { companyId: number; operationId: string }
let token: string
let sellerId: string
beforeEach(async () => {
  const admin = await makeUser(server.db)
  token = admin.token
  const operation = await makeOperation(server.db, { companyId: admin.companyId })
  place = { companyId: admin.companyId, operationId: operation.id }
  sellerId = (await makeSellerWithoutAddress(server.db, { companyId: admin.companyId, name: 'PMO des Tilleuls' })).id
})
const here = () => ({ params: { id: place.operationId } })
const feeBody = () => ({ sellerId, label: 'Adhésion', amount: 437, every: 'month', startsOn: '2025-03-07' })
const addFee = (more = {}) => call(server, tariffs.createFee, { ...here(), body: { ...feeBody(), ...more } }, { token })
const setFee = (fee: { id: string }, more: object) => {
  const { id, operationId: _, seller: _seller, group: _group, used: _used, ...body } = fee as Record<string, unknown> // as it was answered
  return call(server, tariffs.updateFee, { params: { id }, body: { ...body, ...more } }, { token })
}
const addDiscount = (more = {}) =>
  call(
    server,
    tariffs.createDiscount,
    { ...here(), body: { label: 'Fidélité', percentBp: 375, startsOn: '2025-03-01', ...more } },
    { token },
  )
const order = async () =>
  (await call(server, tariffs.discounts, here(), { token })).body.items.map(({ label }: { label: string }) => label)

describe('fees', () => {
  test('store everything that billing needs', async () => {
    const group = await makeTariffGroup(server.db, { ...place, name: 'Bailleurs' })
    const { status, body } = await addFee({ rate: 550, perKva: true, groupId: group.id, endsOn: '2025-11-19' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ seller: 'PMO des Tilleuls', group: 'Bailleurs', used: false, version: 1 })
    expect((await loadOperationPrices(server.db, place.companyId, place.operationId)).fees).toEqual([
      {
        id: body.id,
        seller: sellerId,
        amount: 437,
        every: 'month',
        from: '2025-03-07',
        to: '2025-11-19',
        rate: 550,
        perKva: true,
        outside: false,
        group: group.id,
      },
    ])
  })

  test('refuse invalid fees at their field', async () => {
    const path = async (more: object) => (await addFee(more)).body.issues.map((issue: { path: string }) => issue.path)
    expect(await path({ amount: -1 })).toEqual(['amount'])
    expect(await path({ rate: 0 })).toEqual(['rate'])
    expect(await path({ rate: 2000, outside: true })).toEqual(['rate'])
    expect(await path({ endsOn: '2025-03-07' })).toEqual(['endsOn'])
    const foreign = await makeUser(server.db)
    const other = { companyId: foreign.companyId }
    const stranger = {
      sellerId: (await makeSellerWithoutAddress(server.db, other)).id,
      groupId: (await makeTariffGroup(server.db, other)).id,
    }
    expect(await path(stranger)).toEqual(['sellerId', 'groupId'])
  })

  test('counted in a closed month keep everything but their end, which stays after it', async () => {
    const { body: fee } = await addFee()
    await insertClosedMonth(server.db, place, '2025-04')
    const refused = await setFee(fee, { amount: 438 })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Avril 2025 est clôturé\u00a0: de ce qui y a été compté, seule la fin peut encore changer. Un mois facturé se corrige par une régularisation.',
    ])
    const early = await setFee(fee, { endsOn: '2025-04-30' })
    expect(early.body.issues).toMatchObject([{ path: 'endsOn' }])
    const ended = await setFee(fee, { endsOn: '2025-05-01' })
    expect(ended.body).toMatchObject({ endsOn: '2025-05-01', used: true })
    const again = await setFee(ended.body, { endsOn: null })
    expect(again.body).toMatchObject({ endsOn: null })
    const gone = await call(server, tariffs.removeFee, { params: { id: fee.id } }, { token })
    expect([gone.status, gone.body.message]).toEqual([409, expect.stringContaining('Donnez-lui plutôt une fin.')])
  })

  test('ended inside a closed month cannot be extended there', async () => {
    await makeTariffFee(server.db, { ...place, sellerId, startsOn: '2025-03-07', endsOn: '2025-04-11' })
    await insertClosedMonth(server.db, place, '2025-04')
    const { items } = (await call(server, tariffs.fees, here(), { token })).body
    expect((await setFee(items[0], { endsOn: '2025-06-01' })).status).toBe(422)
  })

  test('begin after closed months when new, and can be changed and removed while not counted', async () => {
    await insertClosedMonth(server.db, place, '2025-04')
    expect((await addFee()).body.issues).toMatchObject([
      { path: 'startsOn', message: expect.stringMatching(/^Avril 2025 est clôturé\u00a0: rien ne s’y ajoute\./) },
    ])
    expect((await addFee({ endsOn: '2025-04-01' })).status).toBe(200)
    const { body: fee } = await addFee({ startsOn: '2025-05-01' })
    expect((await setFee(fee, { startsOn: '2025-04-30' })).status).toBe(422)
    expect((await setFee(fee, { amount: 511, label: 'Cotisation' })).body).toMatchObject({ amount: 511, version: 2 })
    expect((await setFee(fee, { amount: 512 })).body.code).toBe('stale')
    expect((await call(server, tariffs.removeFee, { params: { id: fee.id } }, { token })).status).toBe(200)
  })
})

describe('discounts', () => {
  test('apply in their order, which can be changed as a whole', async () => {
    const { id: participantId } = await makeParticipant(server.db, { companyId: place.companyId, name: 'Mme Morel' })
    const first = (await addDiscount({ label: 'A', participantId, sellerId })).body
    expect(first).toMatchObject({ participant: 'Mme Morel', seller: 'PMO des Tilleuls', position: 1 })
    const second = (await addDiscount({ label: 'B', percentBp: null, amount: 317 })).body
    const third = (await addDiscount({ label: 'C' })).body
    expect(await order()).toEqual(['A', 'B', 'C'])
    const sort = (ids: string[]) => call(server, tariffs.orderDiscounts, { ...here(), body: { ids } }, { token })
    expect((await sort([third.id, first.id, second.id])).status).toBe(200)
    expect(await order()).toEqual(['C', 'A', 'B'])
    for (const ids of [[third.id, first.id], [third.id, first.id, first.id], []])
      expect((await sort(ids)).body.issues).toMatchObject([{ path: 'ids' }])
    const { discounts } = await loadOperationPrices(server.db, place.companyId, place.operationId)
    expect(discounts).toEqual([
      { id: third.id, percentBp: 375, from: '2025-03-01', to: null },
      { id: first.id, percentBp: 375, buyer: participantId, seller: sellerId, from: '2025-03-01', to: null },
      { id: second.id, amount: 317, from: '2025-03-01', to: null },
    ])
  })

  test('refuse invalid discounts at their field', async () => {
    const path = async (more: object) =>
      (await addDiscount(more)).body.issues.map((issue: { path: string }) => issue.path)
    expect(await path({ amount: 317 })).toEqual(['amount'])
    expect(await path({ percentBp: null })).toEqual(['amount'])
    expect(await path({ percentBp: 10_001 })).toEqual(['percentBp'])
    expect(await path({ startsOn: '2025-03-02' })).toEqual(['startsOn'])
    const { companyId } = await makeUser(server.db)
    expect(await path({ participantId: (await makeParticipant(server.db, { companyId })).id })).toEqual([
      'participantId',
    ])
  })

  test('counted in a closed month keep everything but their end', async () => {
    const { id } = await makeTariffDiscount(server.db, { ...place, startsOn: '2025-03-01' })
    await insertClosedMonth(server.db, place, '2025-03')
    const body = { label: 'Fidélité', percentBp: 375, startsOn: '2025-03-01', version: 1 }
    const set = (more: object) =>
      call(server, tariffs.updateDiscount, { params: { id }, body: { ...body, ...more } }, { token })
    expect((await set({ percentBp: 376 })).status).toBe(409)
    expect((await set({ endsOn: '2025-04-01' })).body).toMatchObject({ endsOn: '2025-04-01', used: true })
    expect((await call(server, tariffs.removeDiscount, { params: { id } }, { token })).status).toBe(409)
  })
})
