import { inflateSync } from 'node:zlib'
import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { buildInvoicePdf } from './invoice-pdf.ts'
import { buildInvoiceXml } from './invoice-xml.ts'
import { formatFrenchDecimal } from './number-and-date-formats.ts'
import { countPdfPages, extractPdfText } from './testing/pdf-text.ts'
import {
  createCreditNoteSnapshot,
  createEnergyLine,
  createExemptInvoiceSnapshot,
  createInvoiceSnapshot,
  createPublicInvoiceSnapshot,
  createStatementSnapshot,
} from './testing/snapshots.ts'

const buildTestInvoicePdf = async (snapshot: InvoiceSnapshot) => buildInvoicePdf(snapshot, buildInvoiceXml(snapshot))
const extractInvoiceText = async (snapshot: InvoiceSnapshot) =>
  extractPdfText(await buildTestInvoicePdf(snapshot)).replaceAll('\u00a0', ' ')
const toLatin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

test.each([
  ['invoice', createInvoiceSnapshot],
  ['creditNote', createCreditNoteSnapshot],
  ['publicInvoice', createPublicInvoiceSnapshot],
  ['exemptInvoice', createExemptInvoiceSnapshot],
  ['statement', createStatementSnapshot],
])('%s: one page, every amount and mention, nothing undefined', async (_, make) => {
  const snapshot = make()
  const pdf = await buildTestInvoicePdf(snapshot)
  const text = extractPdfText(pdf).replaceAll('\u00a0', ' ')
  expect(countPdfPages(pdf)).toBe(1)
  expect(pdf.length).toBeLessThan(120_000)
  for (const { net } of snapshot.lines) expect(text).toContain(`${formatFrenchDecimal(net, 2)} €`)
  for (const cents of [snapshot.totals.net, snapshot.totals.gross])
    expect(text).toContain(formatFrenchDecimal(cents, 2))
  const words = text.replace(/\s+/g, ' ')
  for (const { text: mention } of snapshot.mentions) expect(words).toContain(mention.split(/\s/).slice(0, 3).join(' '))
  expect(text).not.toMatch(/undefined|null|NaN|□/)
})

test('states seller, buyer, mandate, prices, and how to pay', async () => {
  const text = (await extractInvoiceText(createInvoiceSnapshot())).replace(/\s+/g, ' ')
  for (const part of [
    'Soleil des Tilleuls',
    'SIREN 552 081 317',
    'Claire Morel',
    'Jean Morel',
    'ACC00012345',
    '31,417 kWh',
    '15,43 c€/kWh',
    '30,0 % de votre électricité a été locale',
    'calcul Voisol définitif',
    'au nom et pour le compte de',
    'FR76 3000 6000 0112 3456 7890 189',
    'Total à payer TTC',
    '19 juin 2026',
    'page 1 / 1',
  ])
    expect(text).toContain(part)
  expect(await extractInvoiceText(createCreditNoteSnapshot())).not.toContain('FR76')
  expect(await extractInvoiceText(createStatementSnapshot())).toContain('Rien à payer')
})

test('a long number is printed smaller and never cut, since it is copied and read aloud', async () => {
  for (const number of ['SYNCOP-2026-00225', 'COOPERATIVE-DES-TILLEULS-2026-00225']) {
    const words = (await extractInvoiceText({ ...createInvoiceSnapshot(), number })).split(/\s+/)
    // In the title, in the payment instructions, and in the footer.
    expect(words.filter((word) => word.replace('.', '') === number)).toHaveLength(3)
  }
})

test('a document without tax is not called exempt: its mention says why there is none', async () => {
  expect(await extractInvoiceText(createExemptInvoiceSnapshot())).toMatch(/Sans TVA sur [\d,]+ €/)
})

test('a debited document asks for no transfer, and states the day, the account and the mandate', async () => {
  const debit = { creditor: 'Les Toits', ics: 'FR72ZZZ123456', rum: 'TIL-7731', ibanEnd: '4407' }
  const text = (
    await extractInvoiceText({ ...createInvoiceSnapshot(), debit: { ...debit, collectionOn: '2026-06-22' } })
  ).replace(/\s+/g, ' ')
  for (const part of ['prélevés le 22 juin 2026', '4407', 'TIL-7731', 'Les Toits, pour ', 'FR72ZZZ123456'])
    expect(text).toContain(part)
  for (const part of ['FR76', 'virement', 'À payer au plus tard']) expect(text).not.toContain(part)
})

test('a public seller paid through PayFiP prints its number there and the document reference', async () => {
  const snapshot = createInvoiceSnapshot()
  const paid = { ...snapshot, number: 'TIL-2026-00042', seller: { ...snapshot.seller, payfip: '012345' } }
  const words = (text: string) => text.replace(/\s+/g, ' ')
  expect(words(await extractInvoiceText(paid))).toContain(
    'payfip.gouv.fr : identifiant 012345 , référence TIL202600042',
  )
  expect(words(await extractInvoiceText({ ...paid, seller: { ...paid.seller, iban: '' } }))).toContain(
    'identifiant 012345',
  )
  expect(await extractInvoiceText(snapshot)).not.toContain('payfip')
  expect(
    await extractInvoiceText({ ...createCreditNoteSnapshot(), seller: { ...snapshot.seller, payfip: '012345' } }),
  ).not.toContain('payfip')
})

test('is archival: PDF/A-3b, embedded fonts, one attached file, described as Factur-X', async () => {
  const snapshot = createInvoiceSnapshot()
  const raw = toLatin1(await buildTestInvoicePdf(snapshot))
  expect(raw).toContain('<pdfaid:part>3</pdfaid:part>')
  expect(raw).toContain('<pdfaid:conformance>B</pdfaid:conformance>')
  expect(raw).toContain('/GTS_PDFA1')
  expect(raw).not.toMatch(/\/Helvetica|\/Encrypt|\/JavaScript/)
  expect(raw.match(/\/Type \/FontDescriptor/g)?.length).toBe(raw.match(/\/FontFile[23]? \d+ 0 R/g)?.length)
  expect(raw.match(/\/Type \/EmbeddedFile/g)).toHaveLength(1)
  expect(raw).toContain('/AFRelationship /Alternative')
  expect(raw.match(/\/UF \(factur-x\.xml\)/g)).toHaveLength(1)
  const xmp = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(raw)?.[0] ?? ''
  expect(() => XmlDocument.fromString(xmp)).not.toThrow()
  for (const part of [
    '<fx:DocumentType>INVOICE',
    '<fx:DocumentFileName>factur-x.xml',
    '<fx:Version>1.0',
    '<fx:ConformanceLevel>EN 16931',
    'pdfaExtension:schemas',
  ])
    expect(xmp).toContain(part)
})

test('embeds exactly the given XML', async () => {
  const snapshot = createPublicInvoiceSnapshot()
  const raw = toLatin1(await buildTestInvoicePdf(snapshot))
  const stream = /\/Type \/EmbeddedFile[\s\S]*?stream\n([\s\S]*?)\nendstream/.exec(raw)?.[1] ?? ''
  expect(inflateSync(Buffer.from(stream, 'latin1')).toString('utf8')).toBe(buildInvoiceXml(snapshot))
})

test('a statement embeds no XML, and is not described as an invoice', async () => {
  const raw = toLatin1(await buildTestInvoicePdf(createStatementSnapshot()))
  expect(raw).not.toContain('EmbeddedFile')
  expect(raw).not.toContain('<fx:')
})

test('generated again it is identical to the byte', async () => {
  expect(toLatin1(await buildTestInvoicePdf(createInvoiceSnapshot()))).toBe(
    toLatin1(await buildTestInvoicePdf(createInvoiceSnapshot())),
  )
})

test('many lines continue on numbered pages', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => createEnergyLine('2026-05-01', '2026-06-01', 1001 + at, 1543, 15))
  const pdf = await buildTestInvoicePdf({ ...createInvoiceSnapshot(), lines })
  expect(countPdfPages(pdf)).toBeGreaterThan(1)
  expect(extractPdfText(pdf).replaceAll('\u00a0', ' ')).toContain(`page 2 / ${countPdfPages(pdf)}`)
})

test('names with markup are printed as text', async () => {
  const base = createInvoiceSnapshot()
  const odd = {
    ...base,
    seller: { ...base.seller, name: 'A & B <SAS>' },
    buyer: { ...base.buyer, name: 'Œuvre & fils “ZŁ”' },
  }
  const raw = toLatin1(await buildTestInvoicePdf(odd))
  const xmp = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(raw)?.[0] ?? ''
  expect(() => XmlDocument.fromString(xmp)).not.toThrow()
})
