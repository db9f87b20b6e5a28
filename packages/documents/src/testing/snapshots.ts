import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'

const ID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const PRM = '19125759625988'

const shared = { prm: PRM, member: ID(41), category: 'S', rate: 2000, liable: false } as const

export const createEnergyLine = (from: string, to: string, wh: number, price: number, net: number): SnapshotLine => ({
  kind: 'energy',
  ...shared,
  from,
  to,
  rule: 'hp',
  label: 'Énergie locale, heures pleines, toiture de l’école <A & B>',
  net,
  wh,
  price,
  trace: { tariffFrom: '2026-01-01', p0: price, index: null },
  source: 'definitive',
  wattMinutes: `${wh * 60}`,
  units: wh,
})
const feeLine: SnapshotLine = {
  kind: 'fee',
  ...shared,
  from: '2026-05-01',
  to: '2026-06-01',
  rule: ID(51),
  label: 'Adhésion',
  net: 237,
  every: 'month',
  amount: 237,
  kva: null,
  active: { from: '2026-01-01', to: null },
}

const days = Array.from({ length: 31 }, (_, at) => ({
  day: `2026-05-${String(at + 1).padStart(2, '0')}`,
  localWh: 1100 + ((at * 977) % 2300),
  totalWh: 6200 + ((at * 1453) % 3100),
}))

/** A month of a household, with a change of price on the 15th, a discount and a fee. */
export const createInvoiceSnapshot = (): InvoiceSnapshot => ({
  format: 1,
  kind: 'invoice',
  typeCode: 380,
  number: 'SOL2026-00042',
  issuedOn: '2026-06-04',
  dueOn: '2026-06-19',
  from: '2026-05-01',
  to: '2026-06-01',
  apart: false,
  seller: {
    id: ID(1),
    name: 'Soleil des Tilleuls',
    siren: '552081317',
    siret: '55208131766522',
    vatNumber: 'FR40552081317',
    email: 'facturation@soleil-tilleuls.example',
    phone: '05 61 00 00 00',
    address: '4 rue des Tilleuls',
    postalCode: '31000',
    city: 'Toulouse',
    country: 'FR',
    legalForm: 'SAS au capital de 10 000 €, RCS Toulouse',
    vatMode: 'standard',
    iban: 'FR7630006000011234567890189',
    bic: 'AGRIFRPP',
  },
  buyer: {
    id: ID(2),
    kind: 'person',
    name: 'Claire Morel',
    jointHolders: ['Jean Morel'],
    siren: '',
    siret: '',
    vatNumber: '',
    serviceCode: '',
    engagement: '',
    email: 'claire.morel@example.fr',
    phone: '',
    address: '12 rue du Lac\nBâtiment A, appartement 301',
    postalCode: '31000',
    city: 'Toulouse',
    country: 'FR',
    delivery: 'mail',
  },
  operation: {
    id: ID(3),
    name: 'Les Tilleuls',
    accNumber: 'ACC00012345',
    pmoName: 'Association des Tilleuls',
    pmoSiren: '130025265',
  },
  mandate: { id: ID(4), by: 'Association des Tilleuls', signedOn: '2025-12-11' },
  lines: [
    createEnergyLine('2026-05-01', '2026-05-15', 31_417, 1543, 485),
    createEnergyLine('2026-05-15', '2026-06-01', 38_208, 1489, 569),
    feeLine,
  ],
  allowances: [
    {
      id: ID(6),
      label: 'Remise de bienvenue',
      amount: 53,
      category: 'S',
      rate: 2000,
      base: 1054,
      left: 1054,
      percentBp: 500,
      asked: 53,
    },
  ],
  vat: [{ category: 'S', rate: 2000, base: 1238, tax: 248 }],
  totals: { lines: 1291, allowances: 53, net: 1238, tax: 248, gross: 1486 },
  points: [{ prm: PRM, label: 'Appartement 301', totalWh: 231_940, localWh: 69_625, source: 'definitive', days }],
  corrects: null,
  mentions: [
    {
      name: 'mention.mandate',
      text: 'Facture établie par Association des Tilleuls au nom et pour le compte de Soleil des Tilleuls',
    },
    { name: 'mention.category', text: 'Catégorie de l’opération\u00a0: livraison de biens.' },
    { name: 'mention.complement', text: 'Le complément est facturé par votre fournisseur.' },
    {
      name: 'mention.penalties',
      text: 'En cas de retard de paiement, pénalités au taux de refinancement de la BCE majoré de 10 points.',
    },
    { name: 'mention.discount', text: 'Pas d’escompte pour paiement anticipé.' },
  ],
  sources: {
    computation: 'c0ffee',
    runs: [{ id: ID(7), kind: 'definitive', from: '2026-05-01', to: '2026-06-01', resultHash: '9f2c41d7' }],
    keys: [{ id: ID(8), number: 3, from: '2026-01-01' }],
    tariffs: [{ id: ID(9), number: 2, from: '2026-01-01' }],
    settings: [{ name: 'due.days', from: '2020-01-01', source: 'Choix du produit' }],
  },
})

/** A correction of the same month: signs as printed, the tax as a difference. */
export const createCreditNoteSnapshot = (): InvoiceSnapshot => ({
  ...createInvoiceSnapshot(),
  kind: 'creditNote',
  typeCode: 381,
  number: 'SOL2026-00043',
  lines: [
    { ...createEnergyLine('2026-05-01', '2026-05-15', 31_417, 1543, 485), role: 'cancel' },
    { ...createEnergyLine('2026-05-01', '2026-05-15', -29_001, 1543, -447), role: 'replace' },
  ],
  allowances: [{ id: ID(6), label: 'Remise de bienvenue', amount: 2, category: 'S', rate: 2000 }],
  vat: [{ category: 'S', rate: 2000, base: 36, tax: 7 }],
  totals: { lines: 38, allowances: 2, net: 36, tax: 7, gross: 43 },
  corrects: { id: ID(5), number: 'SOL2026-00042', issuedOn: '2026-06-04', reason: 'Relevés corrigés par Enedis' },
})

/** A public buyer of a seller outside VAT. */
export const createPublicInvoiceSnapshot = (): InvoiceSnapshot => {
  const base = createInvoiceSnapshot()
  return {
    ...base,
    number: 'MAI2026-00007',
    seller: { ...base.seller, vatMode: 'outside', vatNumber: '' },
    buyer: {
      ...base.buyer,
      kind: 'public',
      name: 'Commune de Lacville',
      jointHolders: [],
      siren: '213105554',
      siret: '21310555400017',
      serviceCode: 'ECOLES',
      engagement: 'EJ-2026-118',
      delivery: 'chorus',
    },
    lines: [{ ...createEnergyLine('2026-05-01', '2026-06-01', 412_775, 1207, 4982), category: 'O', rate: 0 }],
    allowances: [],
    vat: [{ category: 'O', rate: 0, base: 4982, tax: 0 }],
    totals: { lines: 4982, allowances: 0, net: 4982, tax: 0, gross: 4982 },
    mentions: [...base.mentions, { name: 'mention.outside', text: 'Opération hors champ de la TVA' }],
  }
}

/** A VAT-exempt seller, and a statement with nothing to pay. */
export const createExemptInvoiceSnapshot = (): InvoiceSnapshot => {
  const base = createInvoiceSnapshot()
  return {
    ...base,
    number: 'DUP2026-00003',
    seller: { ...base.seller, vatMode: 'exempt', vatNumber: '' },
    lines: [{ ...createEnergyLine('2026-05-01', '2026-06-01', 69_625, 1543, 1074), category: 'E', rate: 0 }],
    allowances: [],
    vat: [{ category: 'E', rate: 0, base: 1074, tax: 0 }],
    totals: { lines: 1074, allowances: 0, net: 1074, tax: 0, gross: 1074 },
    mentions: [...base.mentions, { name: 'mention.exempt', text: 'TVA non applicable, art. L. 223-1 du CIBS' }],
  }
}
export const createStatementSnapshot = (): InvoiceSnapshot => ({
  ...createExemptInvoiceSnapshot(),
  kind: 'statement',
  typeCode: null,
  number: 'DUPR2026-00001',
  lines: [{ ...createEnergyLine('2026-05-01', '2026-06-01', 69_625, 0, 0), category: 'E', rate: 0 }],
  vat: [{ category: 'E', rate: 0, base: 0, tax: 0 }],
  totals: { lines: 0, allowances: 0, net: 0, tax: 0, gross: 0 },
})
