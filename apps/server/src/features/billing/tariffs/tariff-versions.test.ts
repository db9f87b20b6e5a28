import { tariffs } from '@voisol/contract/tariffs'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import {
  insertClosedMonth,
  makePriceIndex,
  makeTariffGroup,
  requestTariffAdoption,
  requestTariffDraft,
} from '../../../../test/factories-tariffs.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, events, operationBilling, tariffs as table } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
async function scene(more: Parameters<typeof makeOperation>[1] | object = {}) {
  const admin = await makeUser(server.db)
  const { companyId, token } = admin
  const operation = await makeOperation(server.db, { companyId, ...more })
  const operationId = operation.id
  const plant = await makePoint(server.db, { companyId, direction: 'production', label: 'Toit de l’école' })
  await makeParticipation(server.db, { companyId, operationId, pointId: plant.id })
  const home = await makeParticipation(server.db, { companyId, operationId })
  return { admin, companyId, token, operation, operationId, plant, buyer: home.participantId }
}
type Scene = Awaited<ReturnType<typeof scene>>
const list = async ({ operation, token }: Scene) =>
  (await call(server, tariffs.list, { params: { id: operation.id } }, { token })).body
const save = ({ token }: Scene, id: string, body: object) =>
  call(server, tariffs.update, { params: { id }, body }, { token })
const adopt = ({ token }: Scene, { id, version }: { id: string; version: number }) =>
  call(server, tariffs.adopt, { params: { id }, body: { version } }, { token })
const messages = (body: { issues: { message: string }[] }) => body.issues.map(({ message }) => message)

describe('tariff versions', () => {
  test('apply until the next adopted one begins', async () => {
    const here = await scene()
    const future = addDays(getToday(), 40)
    await requestTariffAdoption(server, here, { rules: [{ price: 1543 }] })
    await requestTariffAdoption(server, here, { rules: [{ price: 1611 }], startsOn: '2025-06-15' })
    await requestTariffAdoption(server, here, { rules: [{ price: 1499 }], startsOn: future })
    await requestTariffDraft(server, here, { rules: [{ price: 1702 }], startsOn: '2025-03-07' })
    expect((await list(here)).items).toMatchObject([
      { number: 3, startsOn: future, endsOn: null, inForce: false, status: 'adopted' },
      { number: 2, startsOn: '2025-06-15', endsOn: future, inForce: true },
      { number: 4, startsOn: '2025-03-07', endsOn: '2025-06-15', inForce: false, status: 'draft' },
      { number: 1, startsOn: '2025-01-01', endsOn: '2025-06-15', inForce: false },
    ])
  })

  test('identify a rule by version and position, whatever id was sent', async () => {
    const here = await scene()
    const { body } = await requestTariffDraft(server, here, {
      rules: [
        { price: 1543, id: 'x', label: 'Base' },
        { price: 1234, id: 'x', class: 'HCB' },
      ],
    })
    expect(body.rules).toEqual([
      { id: 'v1-001', label: 'Base', price: 1543 },
      { id: 'v1-002', label: '', price: 1234, class: 'HCB' },
    ])
    const copy = { params: { id: body.id }, body: { startsOn: '2025-02-14', label: 'Suite' } }
    const copied = await call(server, tariffs.copy, copy, here)
    expect(copied.body).toMatchObject({
      number: 2,
      label: 'Suite',
      startsOn: '2025-02-14',
      status: 'draft',
      rules: [
        { id: 'v2-001', label: 'Base', price: 1543 },
        { id: 'v2-002', price: 1234, class: 'HCB' },
      ],
    })
  })

  test('can be changed and removed as a draft by the holder of its last state', async () => {
    const here = await scene()
    const { body: draft } = await requestTariffDraft(server, here, { rules: [{ price: 1543 }] })
    const rules = [{ id: 'a', price: 1587, class: 'HPH' }]
    const change = { label: 'Hiver', startsOn: '2025-02-03', rules, version: draft.version }
    const saved = await save(here, draft.id, change)
    expect(saved.body).toMatchObject({ label: 'Hiver', startsOn: '2025-02-03', version: 2 })
    expect(saved.body.rules).toEqual([{ id: 'v1-001', label: '', price: 1587, class: 'HPH' }])
    const late = await save(here, draft.id, change)
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    const removed = await call(server, tariffs.remove, { params: { id: draft.id } }, here)
    expect(removed.status).toBe(200)
    expect((await list(here)).items).toEqual([])
  })

  test('never change once adopted, not even in SQL', async () => {
    const here = await scene()
    const { body } = await requestTariffAdoption(server, here, { rules: [{ price: 1543 }] })
    const change = { label: '', startsOn: '2025-02-03', rules: [{ id: 'a', price: 1 }], version: body.version }
    const refused = [
      await save(here, body.id, change),
      await call(server, tariffs.remove, { params: { id: body.id } }, here),
      await adopt(here, body),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(refused[0]?.body.message).toContain('La version 1 est adoptée\u00a0: elle ne change plus.')
    const mine = eq(table.id, body.id)
    await server.db.update(table).set({ startsOn: '2025-07-01' }).where(mine)
    await server.db.delete(table).where(mine)
    expect(await server.db.select().from(table).where(mine)).toMatchObject([{ startsOn: '2025-01-01' }])
  })

  test('record an event, a signature and a journal entry on adoption', async () => {
    const here = await scene()
    await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2025-09-01' })
    const { body } = await requestTariffAdoption(server, here, { rules: [{ price: 1611 }], startsOn: '2025-05-07' })
    expect(body).toMatchObject({ status: 'adopted', adoptedBy: here.admin.email, problems: [] })
    const told = await server.db.select().from(events).where(eq(events.object, body.id))
    expect(told).toMatchObject([
      {
        name: 'tariff.adopted',
        data: { tariffId: body.id, operationId: here.operation.id, days: { from: '2025-05-07', to: '2025-09-01' } },
      },
    ])
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, here.companyId))
    expect(entries.at(-1)).toMatchObject({
      target: 'Tarif, version 2',
      detail: { operationId: here.operation.id, startsOn: '2025-05-07' },
    })
  })

  test('adopt one of two at once', async () => {
    const here = await scene()
    const drafts = [
      (await requestTariffDraft(server, here, { rules: [{ price: 1543 }] })).body,
      (await requestTariffDraft(server, here, { rules: [{ price: 1611 }] })).body,
    ]
    const answers = await Promise.all(drafts.map((draft) => adopt(here, draft)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('propose a first one at the price entered for the operation', async () => {
    const here = await scene({ unitPrice: 1287, startsOn: '2025-04-09' })
    const { proposal } = await list(here)
    expect(proposal).toEqual({ label: '', startsOn: '2025-04-09', rules: [{ id: 'prix', label: '', price: 1287 }] })
    await requestTariffDraft(server, here, proposal)
    expect((await list(here)).proposal).toBeNull()
    expect((await list(await scene())).proposal).toBeNull()
  })
})

describe('adopting a tariff is refused', () => {
  test('with every reason at once', async () => {
    const here = await scene()
    await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2025-03-12' })
    await insertClosedMonth(server.db, here, '2025-03')
    const index = await makePriceIndex(server.db, here)
    const { body: draft } = await requestTariffDraft(server, here, {
      startsOn: '2025-03-12',
      rules: [
        { price: 1543 },
        { price: 1611, class: 'HPB' },
        { price: 1612, class: 'HPB' },
        { price: 1499, class: 'HCB', index: { indexId: index.id, base: '0.0', floor: 1700, cap: 1600 } },
      ],
    })
    const { status, body } = await adopt(here, draft)
    expect(status).toBe(422)
    expect(body.issues).toEqual([
      { path: 'rules.2', message: expect.stringMatching(/^Les règles 2 et 3 valent pour exactement les mêmes ventes/) },
      { path: 'rules.3', message: 'La règle 4 a un plancher au-dessus de son plafond.' },
      { path: 'rules.3', message: expect.stringMatching(/^La règle 4 part d’un indice de zéro/) },
      { path: 'startsOn', message: expect.stringMatching(/^La version 1, adoptée, commence déjà le 12\/03\/2025/) },
    ])
    expect(body.message).toContain('Ce tarif ne peut pas être adopté.')
  })

  test('without a reason when it would apply in a closed month, unless another version applies there', async () => {
    const here = await scene()
    await insertClosedMonth(server.db, here, '2025-04')
    await insertClosedMonth(server.db, here, '2025-06')
    const early = await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2025-02-03' })
    expect(messages(early.body)).toEqual([
      '2 mois sont clôturés, d’avril 2025 à juin 2025\u00a0: un tarif du 03/02/2025 en change les prix. Son adoption demande une raison, et ce qui est facturé sera régularisé. Dites pourquoi (10 caractères au moins).',
    ])
    expect(early.body.issues[0].path).toBe('reason')
    expect(
      (await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2025-06-30' })).status,
    ).toBe(422)
    expect(
      (await requestTariffAdoption(server, here, { rules: [{ price: 1543 }], startsOn: '2025-07-01' })).status,
    ).toBe(200)
  })

  test('without rules, or with a deleted group', async () => {
    const here = await scene()
    expect(messages((await requestTariffAdoption(server, here, { rules: [] })).body)).toEqual([
      'Ce tarif n’a aucune règle\u00a0: donnez au moins un prix.',
    ])
    const group = await makeTariffGroup(server.db, here)
    const { body: draft } = await requestTariffDraft(server, here, { rules: [{ price: 0, group: group.id }] })
    await server.asOwner('delete from buyer_groups where id = $1', [group.id])
    expect(messages((await adopt(here, draft)).body)).toEqual(['La règle 1 nomme un groupe qui n’existe pas.'])
  })
})

describe('tariff rules', () => {
  test('refuse a negative or impossible price at its field', async () => {
    const here = await scene()
    const { status, body } = await requestTariffDraft(server, here, { rules: [{ price: -1 }, { price: 100_001 }] })
    expect(status).toBe(422)
    expect(body.issues).toEqual([
      { path: 'rules.0.price', message: 'Un prix ne peut pas être négatif\u00a0: 0 ou plus est attendu.' },
      { path: 'rules.1.price', message: 'Un prix de plus de 10 € par kWh n’est pas plausible.' },
    ])
  })

  test('refuse a buyer, group, point or index of somebody else', async () => {
    const here = await scene()
    const other = await scene()
    const group = await makeTariffGroup(server.db, other)
    const index = await makePriceIndex(server.db, other)
    const { status, body } = await requestTariffDraft(server, here, {
      rules: [
        { price: 1, buyer: other.buyer },
        { price: 1, group: group.id },
        { price: 1, producer: other.plant.id },
        { price: 1, index: { indexId: index.id, base: '118.02' } },
        { price: 1, buyer: here.buyer, producer: here.plant.id },
      ],
    })
    expect(status).toBe(422)
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'rules.0.buyer',
      'rules.1.group',
      'rules.2.producer',
      'rules.3.index.indexId',
    ])
  })

  test('warn about unusual prices that may be adopted, but not about a free group price', async () => {
    const here = await scene()
    const group = await makeTariffGroup(server.db, here)
    const bounds = { supplierPrice: 1987, surplusPrice: 613 }
    await server.db.insert(operationBilling).values({ ...here, ...bounds })
    const { body } = await requestTariffDraft(server, here, {
      rules: [
        { price: 1543 },
        { price: 2013, class: 'HPH' },
        { price: 487, class: 'HCB' },
        { price: 4501, class: 'HPB' },
        { price: 0, group: group.id },
      ],
    })
    const said = body.problems.map(
      ({ severity, message, rule }: { severity: string; message: string; rule: number }) => [severity, rule, message],
    )
    expect(said).toEqual([
      ['warning', 1, expect.stringContaining('20,13\u00a0c€/kWh dépasse le prix du fournisseur (19,87\u00a0c€/kWh)')],
      [
        'warning',
        2,
        expect.stringContaining('4,87\u00a0c€/kWh est en dessous de la valeur du surplus (6,13\u00a0c€/kWh)'),
      ],
      ['warning', 3, expect.stringContaining('45,01\u00a0c€/kWh est inhabituel')],
      ['warning', 3, expect.stringContaining('dépasse le prix du fournisseur')],
    ])
    expect((await adopt(here, body)).status).toBe(200)
  })
})
