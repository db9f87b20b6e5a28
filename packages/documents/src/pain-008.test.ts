import { existsSync, readFileSync } from 'node:fs'
import { computeCollection } from '@voisol/money/collection'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { buildDebitFile, type DebitMessage, type DebitOrder, type PainVersion } from './pain-008.ts'
import { findPainErrors } from './sepa-rules.ts'

const root = process.env.VOISOL_DATA ?? new URL('../../../../shared/data', import.meta.url).pathname
const getSchemaPath = (version: PainVersion) => `${root}/sepa/pain.008.001.${version}.xsd`
const hasSchemas = existsSync(getSchemaPath('08'))
if (!hasSchemas) console.warn(`Schémas pain.008 sautés : ${getSchemaPath('08')} absent.`)
const read = (version: PainVersion) =>
  hasSchemas ? XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(getSchemaPath(version)))) : null
const rules = { '08': read('08'), '02': read('02') }
/** Validates against the ISO 20022 schema; throws with the errors. */
function validate(xml: string, version: PainVersion) {
  const document = XmlDocument.fromString(xml)
  rules[version]?.validate(document)
  document.dispose()
}

const debit = (at: number, more: Partial<DebitOrder> = {}): DebitOrder => ({
  endToEndId: `VS7-${at}`,
  amount: 1237 + at * 31,
  rum: `SOL-${at}`,
  signedOn: '2025-03-18',
  name: 'Éloïse Lefèvre & Cie',
  iban: 'FR7630006000011234567890189',
  bic: '',
  town: 'Villeurbanne',
  country: 'FR',
  formerIban: null,
  text: 'Facture SOL2026-00042 « mai »',
  ...more,
})
const message = (debits: DebitOrder[], more: Partial<DebitMessage> = {}): DebitMessage => ({
  version: '08',
  id: 'VOISOL-20260603-1',
  createdAt: '2026-06-03T08:15:31Z',
  creditor: { name: 'Toiture de l’École', ics: 'FR72ZZZ123456', iban: 'FR7630006000011234567890189', bic: 'AGRIFRPP' },
  batches: [{ id: 'VOISOL-20260603-1-R', sequence: 'RCUR', collectionOn: '2026-06-18', debits }],
  ...more,
})
const many = (count: number) => Array.from({ length: count }, (_, at) => debit(at))

test.each([
  ['08', 1],
  ['08', 2],
  ['08', 1000],
  ['02', 1],
  ['02', 2],
  ['02', 1000],
] as const)('pain.008.001.%s of %i debits is what the schema and the bank ask for', (version, count) => {
  const xml = buildDebitFile(message(many(count), { version }))
  validate(xml, version)
  expect(findPainErrors(xml)).toEqual([])
  expect(xml).toContain(`<NbOfTxs>${count}</NbOfTxs>`)
  const cents = many(count).reduce((sum, { amount }) => sum + amount, 0)
  expect(xml).toContain(`<CtrlSum>${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}</CtrlSum>`)
})

test('batches of several kinds are in one file, each with its own sum', () => {
  const batch = (id: string, sequence: 'RCUR' | 'OOFF' | 'FNAL' | 'FRST', at: number) => ({
    id,
    sequence,
    collectionOn: '2026-06-18',
    debits: [debit(at)],
  })
  const batches = [batch('R', 'RCUR', 1), batch('O', 'OOFF', 2), batch('F', 'FNAL', 3), batch('P', 'FRST', 4)]
  for (const version of ['08', '02'] as const) {
    const xml = buildDebitFile(message([], { version, batches }))
    validate(xml, version)
    expect(findPainErrors(xml)).toEqual([])
  }
})

test('a changed account is stated: the old IBAN at the same bank, SMNDA at another', () => {
  const same = buildDebitFile(message([debit(1, { formerIban: 'FR7630006000017777777777754' })]))
  expect(same).toContain('<AmdmntInd>true</AmdmntInd><AmdmntInfDtls><OrgnlDbtrAcct><Id><IBAN>FR76300060000177')
  const other = buildDebitFile(message([debit(1, { formerIban: 'DE89370400440532013000' })]))
  expect(other).toContain('<OrgnlDbtrAcct><Id><Othr><Id>SMNDA</Id></Othr></Id></OrgnlDbtrAcct>')
  for (const xml of [same, other]) validate(xml, '08')
})

test('an address has a town and country, or is absent; never unstructured lines alone', () => {
  expect(buildDebitFile(message([debit(1)]))).toContain('<PstlAdr><TwnNm>Villeurbanne</TwnNm><Ctry>FR</Ctry></PstlAdr>')
  const bare = buildDebitFile(message([debit(1, { town: '' })]))
  expect(bare).not.toContain('PstlAdr')
  validate(bare, '08')
})

test('a reference that no bank accepts is an internal error, and no file is made', () => {
  expect(() => buildDebitFile(message([debit(1, { rum: 'MANDAT_É' })]))).toThrow('no reference')
  expect(() => buildDebitFile(message([debit(1, { amount: 0 })]))).toThrow('no sum')
})

test.each([
  [/<CtrlSum>25.05/, '<CtrlSum>25.06', 'CtrlSum'],
  [/<NbOfTxs>2/, '<NbOfTxs>3', 'NbOfTxs'],
  ['<EndToEndId>VS7-1<', '<EndToEndId>VS7-0<', 'twice'],
  ['Toiture de', 'Toîture de', 'no bank takes'],
  ['>12.37<', '>12.370<', 'no sum'],
  ['<MndtId>SOL-1', '<MndtId>/SOL-1', 'no reference'],
])('a file in which %s became %s is refused', (from, to, fault) => {
  expect(findPainErrors(buildDebitFile(message(many(2))).replace(from, to)).join()).toContain(fault)
})

test.each([
  // Good Friday and Easter Monday, Christmas, a month end on a Sunday, 1 May.
  ['2026-03-20', '2026-04-07', '2026-04-02'],
  ['2026-12-11', '2026-12-28', '2026-12-24'],
  ['2026-05-17', '2026-06-01', '2026-05-29'],
  ['2026-04-17', '2026-05-04', '2026-04-30'],
])('announced on %s, it is collected on %s, and the file is submitted by %s', (notified, collection, submitBy) => {
  const found = computeCollection({ issued: notified, term: 0, notified, notice: 14, lead: 1 })
  expect([found.collection, found.submitBy]).toEqual([collection, submitBy])
  const [batch] = message(many(2)).batches
  const xml = buildDebitFile(message([], { batches: batch ? [{ ...batch, collectionOn: found.collection }] : [] }))
  validate(xml, '08')
  expect(xml).toContain(`<ReqdColltnDt>${collection}</ReqdColltnDt>`)
})
