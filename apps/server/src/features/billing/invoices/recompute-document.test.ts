import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import {
  createCreditNoteSnapshot,
  createEnergyLine,
  createInvoiceSnapshot,
  createStatementSnapshot,
} from '@voisol/documents/testing/snapshots'
import { describe, expect, test } from 'vitest'
import { explainSnapshot } from './explain-document.ts'
import { recomputeSnapshot } from './recompute-document.ts'

const wrong = (snapshot: InvoiceSnapshot) =>
  recomputeSnapshot(snapshot)
    .parts.filter(({ same }) => same === false)
    .map(({ label }) => label)

describe('recomputing a document', () => {
  test('recomputes a document step by step as it was printed', () => {
    const { same, parts } = recomputeSnapshot(createInvoiceSnapshot())
    expect(same).toBe(true)
    expect(parts.map(({ part }) => part)).toEqual(expect.arrayContaining(['line', 'allowance', 'vat', 'total']))
    const [line] = parts
    expect(line?.steps.map(({ formula }) => formula)).toEqual(['units', 'energy'])
    expect(line?.steps.at(-1)?.result).toBe(line?.printed)
  })

  test.each<[string, (snapshot: InvoiceSnapshot) => void]>([
    ['Énergie', ({ lines }) => void (lines[0] && lines[0].net++)],
    [
      'Énergie',
      ({ lines }) => void Object.assign(lines[0] ?? {}, { trace: { tariffFrom: '2026-01-01', p0: 1, index: null } }),
    ],
    ['Énergie', ({ lines }) => void Object.assign(lines[0] ?? {}, { wattMinutes: '61' })],
    ['Remise', ({ allowances }) => void (allowances[0] && allowances[0].amount++)],
    ['TVA', ({ vat }) => void (vat[0] && vat[0].tax++)],
    ['Total à payer', ({ totals }) => void totals.gross++],
  ])('detects a changed cent or figure in « %s »', (label, tamper) => {
    const snapshot = createInvoiceSnapshot()
    tamper(snapshot)
    expect(recomputeSnapshot(snapshot).same).toBe(false)
    expect(wrong(snapshot).some((one) => one.startsWith(label))).toBe(true)
  })

  test('recomputes an indexed price from its index', () => {
    const line = createEnergyLine('2026-05-01', '2026-06-01', 50_000, 1200, 600)
    if (line.kind !== 'energy') throw new Error('energy')
    const index = { value: '118.91', base: '113.42', cap: 1200 }
    const snapshot = { ...createInvoiceSnapshot(), lines: [{ ...line, trace: { ...line.trace, p0: 1150, index } }] }
    expect(recomputeSnapshot(snapshot).parts[0]).toMatchObject({ same: true })
    const cheaper = { ...index, cap: 1199 }
    const other = { ...snapshot, lines: [{ ...line, trace: { ...line.trace, p0: 1150, index: cheaper } }] }
    expect(recomputeSnapshot(other).parts[0]).toMatchObject({ same: false })
  })

  test('recomputes a service from its quantity and price', () => {
    const { member, prm, from, to, category, rate } = createEnergyLine('2026-05-01', '2026-06-01', 50_000, 1200, 600)
    const about = { kind: 'service' as const, member, prm, from, to, category, rate, liable: false }
    const verdict = (quantity: string, price: string, net: number) =>
      recomputeSnapshot({
        ...createInvoiceSnapshot(),
        lines: [{ ...about, rule: 'perKwh 0', label: 'Gestion', unit: 'KWH', quantity, price, net }],
      }).parts[0]
    // 1 234,567 kWh at 0,0113 €: 13,9506 €.
    expect(verdict('1234.567', '0.0113', 1395)).toMatchObject({ same: true, steps: [{ result: 1395 }] })
    expect(verdict('1234.567', '0.0113', 1396)).toMatchObject({ same: false })
    expect([verdict('-1', '12.37', -1237)?.same, verdict('1', '0.005', 1)?.same]).toEqual([true, true])
  })

  test('recomputes a correction’s allowance as now minus before, with the sign reversed on a credit note', () => {
    const now = [
      { base: 1733, left: 1733, percentBp: 375, asked: 65 },
      { base: 911, left: 20, percentBp: null, asked: 31 },
    ]
    const own = { id: 'r', label: 'Remise', category: 'S' as const, rate: 2000 }
    const verdict = (base: InvoiceSnapshot, amount: number, before: number, more = now) =>
      recomputeSnapshot({ ...base, allowances: [{ ...own, amount, difference: { before, now: more } }] }).parts.find(
        ({ part }) => part === 'allowance',
      )?.same
    expect([verdict(createInvoiceSnapshot(), 12, 73), verdict(createInvoiceSnapshot(), 13, 73)]).toEqual([true, false])
    expect([verdict(createCreditNoteSnapshot(), 12, 97), verdict(createCreditNoteSnapshot(), -12, 97)]).toEqual([
      true,
      false,
    ])
    expect([verdict(createCreditNoteSnapshot(), 73, 73, []), verdict(createInvoiceSnapshot(), -73, 73, [])]).toEqual([
      true,
      true,
    ])
    // A percentage that does not give the printed allowance.
    const slipped = [{ base: 1733, left: 1733, percentBp: 375, asked: 66 }]
    expect(verdict(createInvoiceSnapshot(), 66, 0, slipped)).toBe(false)
    const { same, steps } = recomputeSnapshot({
      ...createCreditNoteSnapshot(),
      allowances: [{ ...own, amount: 2 }],
    }).parts.find(({ part }) => part === 'allowance') ?? { same: true, steps: [] }
    expect([same, steps]).toEqual([null, []])
  })

  test('accepts a tax one cent beside its rate on a correction, and no more', () => {
    const snapshot = createCreditNoteSnapshot()
    expect(
      recomputeSnapshot(snapshot)
        .parts.filter(({ part }) => part === 'vat')
        .every(({ same }) => same),
    ).toBe(true)
    const off = (cents: number) => ({
      ...snapshot,
      vat: snapshot.vat.map((group) => ({ ...group, tax: group.tax + cents })),
    })
    const verdict = (cents: number) => recomputeSnapshot(off(cents)).parts.find(({ part }) => part === 'vat')?.same
    expect([verdict(1), verdict(2)]).toEqual([true, false])
  })
})

describe('explaining an invoice', () => {
  const text = (snapshot: InvoiceSnapshot) =>
    explainSnapshot(snapshot)
      .map((one) => one.text)
      .join('\n')
      .replaceAll('\u00a0', ' ')

  test('explains an invoice in plain words', () => {
    expect(text(createInvoiceSnapshot())).toMatchInlineSnapshot(`
      "Cette facture concerne l’électricité locale de mai 2026, partagée dans l’opération « Les Tilleuls » et vendue par Soleil des Tilleuls. Association des Tilleuls l’établit au nom et pour le compte de Soleil des Tilleuls.
      Vous avez consommé 231,940 kWh : 69,625 kWh venaient de la production locale, soit 30,0 %.
      Le complément, 162,315 kWh, est fourni et facturé par votre fournisseur d’électricité, à part de ce document.
      31,417 kWh à 15,43 c€/kWh hors taxes font 4,85 €.
      38,208 kWh à 14,89 c€/kWh hors taxes font 5,69 €.
      Adhésion : 2,37 € hors taxes.
      Remise de bienvenue : 0,53 € en moins.
      La TVA de 20 % sur 12,38 € fait 2,48 €.
      Vous devez 14,86 €, toutes taxes comprises, au plus tard le 19 juin 2026.
      Voisol a réparti les relevés d’Enedis selon la clé de l’opération (calcul Voisol définitif)."
    `)
  })
  test('explains what a credit note corrects and that it reduces the amount', () => {
    expect(text(createCreditNoteSnapshot())).toMatchInlineSnapshot(`
      "Cet avoir concerne l’électricité locale de mai 2026, partagée dans l’opération « Les Tilleuls » et vendue par Soleil des Tilleuls. Association des Tilleuls l’établit au nom et pour le compte de Soleil des Tilleuls.
      Il corrige le document SOL2026-00042 du 4 juin 2026 : Relevés corrigés par Enedis.
      31,417 kWh avaient été facturés ; le calcul refait en donne 29,001 kWh.
      Remise de bienvenue : 0,02 € de différence.
      La TVA de 20 % sur 0,36 € fait 0,07 €.
      0,43 € sont déduits de ce que vous devez.
      Voisol a réparti les relevés d’Enedis selon la clé de l’opération (calcul Voisol définitif)."
    `)
  })
  test('explains that a statement owes nothing', () => {
    expect(text(createStatementSnapshot())).toMatchInlineSnapshot(`
      "Ce relevé présente l’électricité locale de mai 2026 que l’opération « Les Tilleuls » a partagée avec vous. Association des Tilleuls l’établit au nom et pour le compte de Soleil des Tilleuls.
      Vous avez consommé 231,940 kWh : 69,625 kWh venaient de la production locale, soit 30,0 %.
      Le complément, 162,315 kWh, est fourni et facturé par votre fournisseur d’électricité, à part de ce document.
      69,625 kWh vous sont fournis gratuitement, à 0 € le kWh.
      Vous n’avez rien à payer.
      Voisol a réparti les relevés d’Enedis selon la clé de l’opération (calcul Voisol définitif)."
    `)
  })
  test.each([
    ['exempt', 'est en franchise de TVA'],
    ['outside', 'hors du champ de la TVA'],
    ['elsewhere', 'collectée par votre fournisseur'],
  ] as const)('explains why there is no VAT in mode %s', (vatMode, words) => {
    const whole = createInvoiceSnapshot()
    const vat = whole.vat.map((group) => ({ ...group, category: 'E' as const, rate: 0, tax: 0 }))
    expect(text({ ...whole, seller: { ...whole.seller, vatMode }, vat })).toContain(words)
  })
  test('announces that provisional figures may be corrected', () => {
    const whole = createInvoiceSnapshot()
    const points = whole.points.map((point) => ({ ...point, source: 'provisional' as const }))
    expect(text({ ...whole, points })).toContain('une régularisation pourra suivre')
  })
})
