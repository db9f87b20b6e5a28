import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { buildTransferFile, type TransferMessage } from './pain-001.ts'

const XSD = join(import.meta.dirname, '../../../../shared/data/sepa/pain.001.001.09.xsd')

const message = (count: number): TransferMessage => ({
  id: 'RV-20270329-7F3A',
  createdAt: '2027-03-29T08:14:51Z',
  executionOn: '2027-03-30',
  debtor: { name: 'Énergies & Toits d’Été', iban: 'FR7630006000011234567890189', bic: count > 1 ? 'AGRIFRPP' : '' },
  transfers: Array.from({ length: count }, (_, at) => ({
    endToEndId: `RV-${String(at).padStart(4, '0')}`,
    amount: 10_003 + at * 97,
    name: `Ferme de l’Œillet n°${at}`,
    iban: 'FR1420041010050500013M02606',
    bic: at % 2 ? 'PSSTFRPPLYO' : '',
    text: 'Ventes de février – reversement',
  })),
})

test('counts and sums match the transfers, and names use allowed characters', () => {
  const xml = buildTransferFile(message(2))
  expect(xml.match(/<NbOfTxs>2</g)).toHaveLength(2)
  // 100,03 € and 101,00 €.
  expect(xml.match(/<CtrlSum>201\.03</g)).toHaveLength(2)
  expect(xml).toContain("<Nm>Energies + Toits d'Ete</Nm>")
  expect(xml).toContain("Ferme de l'OEillet n")
  expect(xml).toContain('<Ustrd>Ventes de fevrier - reversement</Ustrd>')
})

test('an order that no bank would accept is an internal error', () => {
  const one = message(1)
  const wrong = (more: Partial<TransferMessage>) => () => buildTransferFile({ ...one, ...more })
  expect(wrong({ id: 'reversement n°1' })).toThrow(/no reference/)
  expect(wrong({ transfers: [{ ...(one.transfers[0] ?? fail()), amount: 0 }] })).toThrow(/no sum/)
  expect(wrong({ transfers: [] })).toThrow(/no sum/)
})
const fail = (): never => {
  throw new Error('one transfer')
}

test.skipIf(!existsSync(XSD)).each([1, 2, 1000])('a file of %i transfers is valid under ISO 20022', (count) => {
  using schema = XmlDocument.fromString(readFileSync(XSD, 'utf8'))
  using validator = XsdValidator.fromDoc(schema)
  using file = XmlDocument.fromString(buildTransferFile(message(count)))
  expect(() => validator.validate(file)).not.toThrow()
})
