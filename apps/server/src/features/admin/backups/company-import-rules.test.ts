import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildArchivedParticipant, buildTableEntry, CREATED_AT, packSignedArchive } from '../../../../test/archives.ts'
import { createSecrets } from '../../../secrets.ts'
import { getOwnPublicKeys } from './archive-format.ts'
import { readCompanyArchive } from './read-archive.ts'

const SECRETS = createSecrets(randomBytes(32))
type Row = Record<string, unknown>
const OWN = () => ({ id: crypto.randomUUID(), created_at: CREATED_AT })
const VERSIONED = () => ({ ...OWN(), version: 1 })

const operation: Row = {
  ...VERSIONED(),
  name: 'Les Tilleuls',
  acc_number: 'ACC00000001',
  status: 'active',
  description: '',
  pmo_name: '',
  pmo_siren: '',
  address: '',
  postal_code: '',
  city: '',
  latitude: null,
  longitude: null,
  perimeter: 'extended',
  zone: 'metropole',
  capacity_watts: 36_000,
  step_minutes: 30,
  starts_on: '2025-01-01',
  ends_on: null,
  surplus_buyer: '',
  unit_price: null,
  vat_mode: 'standard',
  time_calendar: { offPeak: [], peak: false },
}
const participant: Row = buildArchivedParticipant({ iban: null, mandate_reference: '', mandate_signed_on: null })
const buildPoint = (prm: string): Row => ({
  ...VERSIONED(),
  prm,
  direction: 'consumption',
  label: '',
  segment: 'C5',
  subscribed_va: null,
  peak_watts: null,
  azimuth: null,
  tilt: null,
  commissioned_on: null,
  address: '',
  latitude: null,
  longitude: null,
  storage: false,
  precision: 'address',
})
const [leaving, entering] = [buildPoint('19000000000017'), buildPoint('19000000000018')]
const buildParticipation = (point: Row | undefined, starts_on: string, ends_on: string | null): Row => ({
  ...VERSIONED(),
  operation_id: operation.id,
  participant_id: participant.id,
  point_id: point?.id,
  starts_on,
  ends_on,
  notice_on: null,
  agreement_signed_on: null,
})
const key: Row = {
  ...VERSIONED(),
  operation_id: operation.id,
  number: 1,
  method: 'static',
  label: '',
  status: 'adopted',
  starts_on: '2025-01-01',
  decimals: 1,
}
const buildShare = (point: Row | undefined, share: number | null): Row => ({
  id: crypto.randomUUID(),
  key_id: key.id,
  point_id: point?.id,
  producer_id: null,
  share,
  rank: null,
})
const seller: Row = {
  ...VERSIONED(),
  participant_id: null,
  name: 'Association des Tilleuls',
  legal_form: '',
  siren: '552081317',
  siret: '55208131766522',
  vat_number: 'FR03552081317',
  address: '7 rue du Four',
  postal_code: '69003',
  city: 'Lyon',
  country: 'FR',
  email: '',
  phone: '',
  iban: null,
  iban_end: '',
  bic: '',
  prefix: 'TIL-',
  payfip: '',
  management_fees: [],
  management_fee_rate: 0,
}
const buyer: Row = {
  participant_id: participant.id,
  version: 1,
  kind: 'person',
  legal_name: '',
  joint_holders: [],
  siret: '',
  vat_number: '',
  service_code: '',
  engagement: '',
  address: '',
  postal_code: '',
  city: '',
  country: 'FR',
  email: '',
  delivery: 'mail',
  group_id: null,
  accise_class: '',
}
const LOT = { number: '1', holder: '', shares: 100 }

/** A company whose two points follow one another with the whole of the key: right as it stands. */
const RIGHT = {
  operations: [operation],
  participants: [participant],
  points: [leaving, entering],
  participations: [
    buildParticipation(leaving, '2025-01-01', '2025-06-01'),
    buildParticipation(entering, '2025-06-01', null),
  ],
  keys: [key],
  key_shares: [buildShare(leaving, 600_000), buildShare(entering, 1_000_000)],
  sellers: [seller],
  seller_vat: [
    { ...OWN(), seller_id: seller.id, starts_on: '2025-01-01', mode: 'standard', rate: 2000, created_by: '' },
  ],
  billing_mandates: [
    {
      ...VERSIONED(),
      seller_id: seller.id,
      starts_on: '2025-01-01',
      ends_on: null,
      signed_on: '2025-01-01',
      collects: false,
      file_id: null,
    },
  ],
  buyers: [buyer],
  lot_spreads: [{ participant_id: participant.id, by: 'share', lots: [LOT], version: 1 }],
  tariff_fees: [
    {
      ...VERSIONED(),
      operation_id: operation.id,
      seller_id: seller.id,
      label: 'Abonnement',
      amount: 500,
      every: 'month',
      starts_on: '2025-01-01',
      ends_on: null,
      rate: null,
      per_kva: false,
      outside: false,
      group_id: null,
    },
  ],
  tariff_discounts: [
    {
      ...VERSIONED(),
      operation_id: operation.id,
      position: 1,
      label: 'Accueil',
      percent_bp: 500,
      amount: null,
      participant_id: null,
      seller_id: null,
      starts_on: '2025-01-01',
      ends_on: null,
    },
  ],
  supplier_bills: [
    {
      ...OWN(),
      participant_id: participant.id,
      point_id: entering?.id,
      supplier: 'Fournisseur',
      number: '',
      from_day: '2025-07-01',
      to_day: '2025-08-01',
      deducted_kwh: 10,
      billed_kwh: null,
      verdict: 'right',
      expected_wh: null,
      consumed_wh: null,
      detail: { sentences: [], parts: [] },
      created_by: '',
    },
  ],
  message_templates: [{ ...VERSIONED(), name: 'Accueil', subject: 'Bonjour {{nom}}', body: 'Bienvenue' }],
}
type Table = keyof typeof RIGHT
type ChangedTables = Partial<Record<Table, Row[]>>

/** What the reading of an archive of this company with other rows refuses; empty where it does not. */
async function readRefusal(changed: ChangedTables): Promise<string> {
  const entries = Object.entries({ ...RIGHT, ...changed }).map(([name, rows]) => buildTableEntry(name, rows))
  const [publicKey = ''] = getOwnPublicKeys(SECRETS)
  const zip = await packSignedArchive(SECRETS, entries)
  try {
    readCompanyArchive(zip, { trusted: [{ name: 'ici', publicKey }], keep: false })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('an archive whose rows keep every rule, with two points that follow one another: is taken', async () => {
  expect(await readRefusal({})).toBe('')
})

const PARTICIPATION_OF_LEAVING = buildParticipation(leaving, '2025-05-31', null)
const TWIN = { ...operation, id: crypto.randomUUID(), name: 'Les Ormes' }

/** The last row of a table, changed. */
const change = (table: Table, columns: Row): ChangedTables => ({
  [table]: [...RIGHT[table].slice(0, -1), { ...RIGHT[table].at(-1), ...columns }],
})

/** A rule of the API, the table and line at fault, the rows that break it, and what is said of it. */
const BROKEN: [rule: string, table: Table, line: number, changed: ChangedTables, said: RegExp][] = [
  [
    'a seller whose SIRET is of another SIREN',
    'sellers',
    1,
    change('sellers', { siren: '356000000', vat_number: '' }),
    /Ce SIRET/,
  ],
  [
    'a seller whose VAT number is of another SIREN',
    'sellers',
    1,
    change('sellers', { siren: '356000000', siret: '' }),
    /numéro de TVA/,
  ],
  ['a French seller with a foreign post code', 'sellers', 1, change('sellers', { postal_code: 'SW1A' }), /code postal/],
  ['a seller exempt from VAT with a rate', 'seller_vat', 1, change('seller_vat', { mode: 'exempt' }), /son taux est 0/],
  [
    'a seller subject to VAT without a rate',
    'seller_vat',
    1,
    change('seller_vat', { rate: 0 }),
    /assujetti facture un taux/,
  ],
  [
    'a billing mandate that ends before it begins',
    'billing_mandates',
    1,
    change('billing_mandates', { ends_on: '2024-01-01' }),
    /La fin/,
  ],
  [
    'an organisation with joint holders',
    'buyers',
    1,
    change('buyers', { kind: 'company', joint_holders: ['A'] }),
    /cotitulaires/,
  ],
  ['a person billed through Chorus Pro', 'buyers', 1, change('buyers', { delivery: 'chorus' }), /personnes publiques/],
  [
    'a public body without SIRET on Chorus Pro',
    'buyers',
    1,
    change('buyers', { kind: 'public', delivery: 'chorus' }),
    /SIRET/,
  ],
  ['a buyer with a city and no street', 'buyers', 1, change('buyers', { city: 'Lyon' }), /il manque la voie/],
  ['a buyer with a street and no city', 'buyers', 1, change('buyers', { address: '7 rue du Four' }), /la commune/],
  [
    'lots without any share',
    'lot_spreads',
    1,
    change('lot_spreads', { lots: [{ ...LOT, shares: 0 }] }),
    /Aucun lot n’a de tantièmes/,
  ],
  ['a lot named twice', 'lot_spreads', 1, change('lot_spreads', { lots: [LOT, LOT] }), /nommé deux fois/],
  [
    'a fee that ends before it begins',
    'tariff_fees',
    1,
    change('tariff_fees', { ends_on: '2024-01-01' }),
    /La fin doit venir/,
  ],
  [
    'a fee outside VAT with a rate',
    'tariff_fees',
    1,
    change('tariff_fees', { outside: true, rate: 2000 }),
    /Hors du champ/,
  ],
  [
    'a discount of a percentage and an amount',
    'tariff_discounts',
    1,
    change('tariff_discounts', { amount: 100 }),
    /l’un des deux/,
  ],
  [
    'a discount that ends before it begins',
    'tariff_discounts',
    1,
    change('tariff_discounts', { ends_on: '2024-01-01' }),
    /La fin doit venir/,
  ],
  [
    'a supplier’s bill of no day',
    'supplier_bills',
    1,
    change('supplier_bills', { to_day: '2025-07-01' }),
    /au moins un jour/,
  ],
  [
    'a message with an unknown field',
    'message_templates',
    1,
    change('message_templates', { body: '{{iban}}' }),
    /Champs possibles/,
  ],
  ['a person without a name', 'participants', 1, change('participants', { name: '' }), /Le nom est obligatoire/],
  [
    'an organisation without a name',
    'participants',
    1,
    change('participants', { name: '', kind: 'organisation' }),
    /nom de l’organisation/,
  ],
  [
    'an operation that ends before it begins',
    'operations',
    1,
    change('operations', { ends_on: '2024-01-01' }),
    /La fin doit venir/,
  ],
  [
    'an operation in service without a number',
    'operations',
    1,
    change('operations', { acc_number: null }),
    /en service a un numéro/,
  ],
  ['two operations of one number', 'operations', 2, { operations: [operation, TWIN] }, /ACC00000001 est déjà celui/],
  [
    'a participation that ends before it begins',
    'participations',
    2,
    change('participations', { ends_on: '2024-01-01' }),
    /La fin doit venir/,
  ],
  [
    'a point twice at the same time',
    'participations',
    3,
    { participations: [...RIGHT.participations, PARTICIPATION_OF_LEAVING] },
    /ce point prend déjà part/,
  ],
  [
    'an adopted key with a point without share',
    'keys',
    1,
    { key_shares: [buildShare(leaving, 600_000), buildShare(entering, null)] },
    /n’a pas de part/,
  ],
  ['an adopted key without any share', 'keys', 1, { key_shares: [] }, /ne donne de part à aucun/],
  [
    'an adopted key of more than all to those present together',
    'keys',
    1,
    {
      participations: [
        buildParticipation(leaving, '2025-01-01', '2025-06-02'),
        buildParticipation(entering, '2025-06-01', null),
      ],
    },
    /font 160\u00a0%/,
  ],
]

test.each(BROKEN)('%s: refused with file and line', async (_, table, line, changed, said) => {
  const refusal = await readRefusal(changed)
  expect(refusal).toContain(`donnees/${table}.001.jsonl, ligne ${line}`)
  expect(refusal).toMatch(said)
})

test('a key that is not adopted: may still be without shares', async () => {
  expect(await readRefusal({ keys: [{ ...key, status: 'draft' }], key_shares: [] })).toBe('')
})
