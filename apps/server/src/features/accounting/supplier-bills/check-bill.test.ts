import type { BillPart } from '@voisol/contract/supplier-bills'
import { expect, test } from 'vitest'
import { parseBillText } from './bill-text.ts'
import { evaluateBill, splitByMonth } from './check-bill.ts'

const part = (more: Partial<BillPart> = {}): BillPart => ({
  from: '2026-03-01',
  to: '2026-04-01',
  source: 'definitive',
  local: 7_704_780,
  consumed: 21_037_920,
  ...more,
})
const verdictOf = (parts: BillPart[], deductedKwh: number, billedKwh: number | null = null) =>
  evaluateBill(parts, { deductedKwh, billedKwh })

/** 7 704 780 watt-minutes are 128,413 kWh. */
test.each([
  [128, 'right'],
  [129, 'right'],
  [127, 'short'],
  [130, 'over'],
  [0, 'short'],
])('for %i kWh deducted of 128,413 gives the verdict %s', (deducted, verdict) => {
  expect(verdictOf([part()], deducted)).toMatchObject({ verdict, expectedWh: 128_413 })
})

test('treats a difference of a whole kWh as an error, and less as rounding', () => {
  expect(verdictOf([part({ local: 128 * 60_000 })], 127).verdict).toBe('short')
  expect(verdictOf([part({ local: 128 * 60_000 - 1 })], 127).verdict).toBe('right')
})

test('states the difference, and what remains to be paid', () => {
  expect(verdictOf([part()], 91, 260).sentences).toEqual([
    'Le fournisseur a déduit 91\u00a0kWh, et la part locale est de 128,413\u00a0kWh\u00a0: il en a déduit 37\u00a0kWh de moins.',
    'Il facture 260\u00a0kWh, et il en reste 222,219\u00a0kWh une fois la part locale déduite.',
  ])
  expect(verdictOf([part()], 128, 222).sentences[1]).toContain('sont bien ce qui reste')
})

test('reports a gap instead of zero, and no error on provisional figures', () => {
  const gap = part({ from: '2026-04-01', to: '2026-04-03', source: 'missing', local: null, consumed: null })
  const found = verdictOf([part(), gap], 91)
  expect(found).toMatchObject({ verdict: 'unknown', expectedWh: null })
  expect(found.sentences.join(' ')).toContain('il manque des relevés')
  expect(verdictOf([part({ source: 'provisional' })], 91)).toMatchObject({ verdict: 'unknown', expectedWh: null })
  const before = part({ from: '2026-02-20', to: '2026-03-01', source: 'outside', local: null, consumed: null })
  expect(verdictOf([before, part()], 128)).toMatchObject({ verdict: 'right', expectedWh: 128_413 })
})

test('leaves the amount to pay unknown when days have no readings', () => {
  const theirs = part({ from: '2026-04-01', to: '2026-05-01', source: 'distributor', consumed: null })
  const found = verdictOf([part(), theirs], 257, 222)
  expect(found).toMatchObject({ verdict: 'right', expectedWh: 256_826, consumedWh: null })
  expect(found.sentences).toHaveLength(1)
})

test('adds the parts before rounding', () => {
  const third = { local: 29 * 60_000 + 20_000 }
  expect(verdictOf([part(third), part(third), part(third)], 88)).toMatchObject({ verdict: 'right', expectedWh: 88_000 })
})

test('splits a period by calendar month', () => {
  expect(splitByMonth({ from: '2026-01-17', to: '2026-03-05' })).toEqual([
    { from: '2026-01-17', to: '2026-02-01' },
    { from: '2026-02-01', to: '2026-03-01' },
    { from: '2026-03-01', to: '2026-03-05' },
  ])
  expect(splitByMonth({ from: '2026-02-01', to: '2026-03-01' })).toHaveLength(1)
})

const INVOICE = `EDF  Facture n° F2026-0314-77
Point de livraison (PRM) : 19 125 759 625 988
Période du 01/03/2026 au 31/03/2026
Consommation mesurée 350 kWh
Autoconsommation collective déduite : - 1 128 kWh
Consommation facturée 2 222 kWh  0,1543 €/kWh`

test('recognises the figures of an invoice where possible', () => {
  expect(parseBillText(INVOICE)).toEqual({
    supplier: 'EDF',
    number: 'F2026-0314-77',
    prm: '19125759625988',
    from: '2026-03-01',
    to: '2026-04-01',
    deductedKwh: 1128,
    billedKwh: 2222,
  })
  expect(parseBillText('Bonjour')).toEqual({
    supplier: '',
    number: '',
    prm: '',
    from: null,
    to: null,
    deductedKwh: null,
    billedKwh: null,
  })
  expect(parseBillText('du 31/02/2026 au 03/03/2026')).toMatchObject({ from: null, to: null })
})
