import { isToConfirm, SETTING_DEFINITIONS } from '@voisol/contract/dated-settings'
import { type Setting, settings } from '@voisol/contract/settings'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, billingMonths, datedSettings } from '../../../db/schema/index.ts'
import { loadAcciseRates, loadSettingsOn, resolveAcciseClass } from './settings.ts'

const server = useServer()
const addValue = (who: { token: string }, name: string, value: unknown, from: string, source = 'Arrêté du 3 mars') =>
  call(server, settings.say, { body: { name, value, from, source } }, who)
const list = async (who: { token: string }): Promise<Setting[]> =>
  (await call(server, settings.list, {}, who)).body.items
const due = async (companyId: number, day: string) =>
  (await loadSettingsOn(server.db, companyId, day))['due.days'].value

describe('effective value on a day', () => {
  test('uses the last value that has begun, and the last added of one day', async () => {
    const { token, companyId } = await makeUser(server.db)
    expect(await due(companyId, '2026-05-31')).toBe(15)
    await addValue({ token }, 'due.days', 21, '2026-06-01')
    await addValue({ token }, 'due.days', 23, '2026-06-01')
    await addValue({ token }, 'due.days', 30, '2026-09-01')
    // Added later for an earlier day: values with a later start still apply from their own day.
    await addValue({ token }, 'due.days', 18, '2026-03-01')
    const days = ['2026-02-28', '2026-03-01', '2026-05-31', '2026-06-01', '2026-08-31', '2026-09-01']
    expect(await Promise.all(days.map((day) => due(companyId, day)))).toEqual([15, 18, 18, 23, 23, 30])
  })

  test('ignores another company’s value', async () => {
    const { token } = await makeUser(server.db)
    const { id } = await makeCompany(server.db)
    await addValue({ token }, 'due.days', 28, '2026-01-01')
    expect(await due(id, '2026-02-01')).toBe(15)
  })

  test('uses the first value of a legal text on earlier days', async () => {
    const { id } = await makeCompany(server.db)
    const held = (await loadSettingsOn(server.db, id, '2019-05-01'))['mention.acciseZero']
    expect(held).toMatchObject({ from: '2025-03-01', value: expect.stringContaining('tarif nul') })
  })

  test('names the VAT exemption by the code of its day', async () => {
    const { id } = await makeCompany(server.db)
    const on = async (day: string) => (await loadSettingsOn(server.db, id, day))['mention.exempt'].value
    expect(await on('2026-08-31')).toContain('293 B du CGI')
    expect(await on('2026-09-01')).toContain('CIBS')
  })
})

describe('accise rates', () => {
  const households = async (companyId: number) =>
    (await loadAcciseRates(server.db, companyId))
      .filter((rate) => rate.class === 'ménages')
      .map(({ from, to, centsPerMwh }) => [from, to, centsPerMwh])

  test('follow one another without a gap, the company’s own included', async () => {
    const { token, companyId } = await makeUser(server.db)
    const known = [
      ['1970-01-01', '2025-02-01', 2100],
      ['2025-02-01', '2025-08-01', 3370],
      ['2025-08-01', '2026-02-01', 2998],
    ]
    expect(await households(companyId)).toEqual([...known, ['2026-02-01', null, 3085]])
    const own = SETTING_DEFINITIONS['accise.rates'].said.at(-1)?.value.map((row) => ({ ...row, centsPerMwh: 2469 }))
    await addValue({ token }, 'accise.rates', own, '2026-08-01')
    expect(await households(companyId)).toEqual([
      ...known,
      ['2026-02-01', '2026-08-01', 3085],
      ['2026-08-01', null, 2469],
    ])
  })

  test('of the company replace those of the product from the same day', async () => {
    const { token, companyId } = await makeUser(server.db)
    const own = SETTING_DEFINITIONS['accise.rates'].said.at(-1)?.value.map((row) => ({ ...row, centsPerMwh: 2471 }))
    await addValue({ token }, 'accise.rates', own, '2026-02-01')
    expect((await households(companyId)).at(-1)).toEqual(['2026-02-01', null, 2471])
  })

  test('apply by the consumer’s explicit class, or by its subscribed power', async () => {
    const { id } = await makeCompany(server.db)
    const rates = (await loadSettingsOn(server.db, id, '2026-05-01'))['accise.rates'].value
    const of = (subscribedVa: number | null, said = '') => resolveAcciseClass(rates, { said, subscribedVa })
    expect([of(null), of(36_000), of(36_001), of(250_000), of(250_001)]).toEqual([
      'ménages',
      'ménages',
      'PME',
      'PME',
      'haute puissance',
    ])
    expect(of(9000, 'haute puissance')).toBe('haute puissance')
  })
})

describe('settings over HTTP', () => {
  test('lists every setting with its values, their authors, and the one in force today', async () => {
    const user = await makeUser(server.db)
    await addValue(user, 'due.days', 19, '2026-01-01', 'Décision du bureau')
    await addValue(user, 'due.days', 20, '2026-01-01', 'Décision du bureau, corrigée')
    await addValue(user, 'due.days', 45, '2099-01-01', 'Décision du bureau')
    const all = await list(user)
    expect(all.map(({ name }) => name)).toEqual(Object.keys(SETTING_DEFINITIONS))
    const row = all.find(({ name }) => name === 'due.days')
    expect(row?.words.map(({ value, state, said }) => [value, state, said?.by ?? null])).toEqual([
      [15, 'past', null],
      [19, 'replaced', `Camille ${user.lastName}`],
      [20, 'held', `Camille ${user.lastName}`],
      [45, 'future', `Camille ${user.lastName}`],
    ])
    expect(row?.held).toMatchObject({ value: 20, source: 'Décision du bureau, corrigée' })
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, user.companyId))
    expect(entries.at(-1)?.detail).toMatchObject({ after: { value: 45, from: '2099-01-01' } })
  })

  test('refuses a value outside its schema or without a source', async () => {
    const user = await makeUser(server.db)
    const path = async (answer: ReturnType<typeof addValue>) => {
      const { status, body } = await answer
      return [status, body.issues?.[0]?.path]
    }
    expect(await path(addValue(user, 'due.days', 'bientôt', '2026-01-01'))).toEqual([422, 'value'])
    expect(await path(addValue(user, 'due.days', -1, '2026-01-01'))).toEqual([422, 'value'])
    expect(await path(addValue(user, 'accise.rates', [{ class: 'x' }], '2026-01-01'))).toEqual([
      422,
      'value.0.centsPerMwh',
    ])
    expect(await path(addValue(user, 'mention.mandate', 'Facture', '2026-01-01'))).toEqual([422, 'value'])
    expect(await path(addValue(user, 'due.days', 15, '2026-01-01', ''))).toEqual([422, 'source'])
    expect(await path(addValue(user, 'due.days', 15, '1999-01-01'))).toEqual([422, 'from'])
    expect(await path(addValue(user, 'rien', 15, '2026-01-01'))).toEqual([422, 'name'])
    expect(await server.db.select().from(datedSettings).where(eq(datedSettings.companyId, user.companyId))).toEqual([])
  })

  test('refuses the same value twice, and counts the closed months that keep their figures', async () => {
    const user = await makeUser(server.db)
    const { companyId } = user
    const { id: operationId } = await makeOperation(server.db, { companyId })
    const closed = { companyId, operationId, status: 'closed', closedAt: new Date(), closedBy: 'test' }
    const months = ['2026-03-01', '2026-04-01', '2026-05-01'].map((month) => ({ ...closed, month }))
    await server.db.insert(billingMonths).values(months)
    const { body } = await addValue(user, 'correction.heldCents', 75, '2026-04-17')
    expect(body.note).toContain('2 mois déjà clos gardent leurs chiffres')
    expect(body.note).toContain('Ce qui est émis ne change pas.')
    expect((await addValue(user, 'correction.heldCents', 75, '2026-04-17')).body.code).toBe('conflict')
    expect((await addValue(user, 'due.days', 11, '2026-06-01')).body.note).not.toContain('clos')
  })
})

test('marks values that could not be verified', () => {
  const doubtful = Object.values(SETTING_DEFINITIONS).flatMap(({ said }) =>
    said.filter(({ source }) => isToConfirm(source)),
  )
  expect(doubtful.length).toBeGreaterThan(5)
  for (const { said } of Object.values(SETTING_DEFINITIONS)) {
    expect(said.length).toBeGreaterThan(0)
    for (const { source } of said) expect(source.length).toBeGreaterThan(5)
    expect(said.map(({ from }) => from)).toEqual(said.map(({ from }) => from).toSorted())
  }
})
