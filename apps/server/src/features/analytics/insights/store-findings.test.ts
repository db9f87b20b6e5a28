import { insights } from '@voisol/contract/insights'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { INSIGHT_NUMBERS, makeInsight } from '../../../../test/factories-analytics.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { events, insights as rows } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import type { EnergyPrices } from './energy-prices.ts'
import type { RuleFinding } from './finding-numbers.ts'
import { storeFindings } from './store-findings.ts'

const server = useServer()
const PRICES = { local: 1_377, surplus: 887, supplier: 2_516 }

async function createTestScene() {
  const admin = await makeUser(server.db)
  const operation = await makeOperation(server.db, { companyId: admin.companyId })
  const of = { companyId: admin.companyId, operationId: operation.id, secrets: server.deps.secrets }
  const keep = (found: RuleFinding[], prices: EnergyPrices = PRICES) =>
    transaction(server.db, (tx) => storeFindings(tx, of, found, prices, ['Le prix du fournisseur.']))
  const list = async (state = 'open') => (await call(server, insights.list, { query: { state } }, admin)).body
  return { admin, operation, of, keep, list }
}

const buildFinding = (subjectId: string, more: Partial<RuleFinding> = {}): RuleFinding => ({
  rule: 'under-performance',
  subjectKind: 'operation',
  subjectId,
  startsOn: '2026-05-02',
  endsOn: '2026-05-13',
  wh: 40_000,
  confidence: 0.8,
  numbers: INSIGHT_NUMBERS as RuleFinding['numbers'],
  ...more,
})

test('opens a finding once, updates it, and closes it when it is gone', async () => {
  const { operation, keep, list, admin } = await createTestScene()
  expect(await keep([buildFinding(operation.id)])).toEqual({ found: 1, closed: 0 })
  expect(await keep([buildFinding(operation.id, { wh: 50_000 })])).toEqual({ found: 0, closed: 0 })
  const [first] = (await list()).items
  // 37.5 kWh at 13.77 c€ and 12.5 kWh at 8.87 c€.
  expect(first).toMatchObject({ wh: 50_000, cents: 516 + 111, state: 'open', version: 1 })
  expect(first.formula).toContain('50,0\u00a0kWh × (75,0\u00a0% partagés')
  expect(first.sentence).toContain('23,1\u00a0%')
  expect(first.evidence).toEqual(INSIGHT_NUMBERS.evidence)
  expect(await keep([])).toEqual({ found: 0, closed: 1 })
  expect((await list()).items).toEqual([])
  expect((await list('closed')).items).toMatchObject([{ id: first.id, state: 'closed' }])
  const told = await server.db.select().from(events).where(eq(events.companyId, admin.companyId))
  expect(told.map(({ name }) => name)).toEqual(['insight.found', 'insight.closed'])
})

test('hides a dismissed finding until it grew by half, then opens it again', async () => {
  const { admin, operation, keep, list } = await createTestScene()
  await keep([buildFinding(operation.id)])
  const [{ id, version }] = (await list()).items
  const body = { reason: 'Ombre connue', version }
  const { body: dismissed } = await call(server, insights.dismiss, { params: { id }, body }, admin)
  expect(dismissed).toMatchObject({ state: 'dismissed', reason: 'Ombre connue', version: 2 })
  expect(Date.parse(dismissed.silentUntil) - Date.parse(getToday())).toBe(90 * 86_400_000)
  expect(await keep([buildFinding(operation.id, { wh: 59_999 })])).toEqual({ found: 0, closed: 0 })
  expect(await keep([buildFinding(operation.id, { wh: 60_000 })])).toEqual({ found: 1, closed: 0 })
  await server.db.update(rows).set({ state: 'closed' }).where(eq(rows.state, 'open'))
  await server.db.update(rows).set({ silentUntil: getToday() }).where(eq(rows.id, id))
  expect(await keep([buildFinding(operation.id)])).toEqual({ found: 1, closed: 0 })
})

test('updates an accepted finding, and decides it by version', async () => {
  const { admin, operation, keep, list } = await createTestScene()
  await keep([buildFinding(operation.id)])
  const [{ id }] = (await list()).items
  const accept = (version: number) => call(server, insights.accept, { params: { id }, body: { version } }, admin)
  expect((await accept(1)).body).toMatchObject({ state: 'accepted', version: 2 })
  expect((await accept(1)).status).toBe(409)
  expect(await keep([buildFinding(operation.id, { wh: 41_000 })])).toEqual({ found: 0, closed: 0 })
  expect((await list('accepted')).items).toMatchObject([{ wh: 41_000 }])
  await keep([])
  expect((await accept(3)).status).toBe(409)
})

test('ranks findings by euros times confidence, those without a price last', async () => {
  const { admin, operation, list } = await createTestScene()
  const of = { companyId: admin.companyId, operationId: operation.id }
  const make = (rule: string, cents: number | null, confidence: number, wh = 1) =>
    makeInsight(server.db, { ...of, rule, cents, confidence, wh })
  await make('base-load', 900, 0.5)
  await make('plant-stopped', 500, 0.95)
  await make('mute-meter', null, 0.8, 7_000)
  await make('stuck-meter', null, 0.9, 9_000)
  const rules = (await list()).items.map(({ rule }: { rule: string }) => rule)
  expect(rules).toEqual(['plant-stopped', 'base-load', 'stuck-meter', 'mute-meter'])
})

test('shows only kWh for an unknown price, with a note', async () => {
  const { operation, keep, list } = await createTestScene()
  await keep([buildFinding(operation.id)], { local: 1_377, surplus: null, supplier: null })
  const { items, looks } = await list()
  expect(items).toMatchObject([{ cents: null, wh: 40_000 }])
  expect(items[0].formula).toContain('prix inconnu')
  const look = looks.find(({ operationId }: { operationId: string }) => operationId === operation.id)
  expect(look?.missing ?? ['Le prix du fournisseur.']).toEqual(['Le prix du fournisseur.'])
})
