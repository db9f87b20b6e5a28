import { parseBankFile, parseTableCents, parseTableDay, previewTable } from '@voisol/file-formats/bank/bank-file'
import { parseCents } from '@voisol/file-formats/bank/bank-types'
import { expect, test } from 'vitest'
import { ANNA_IBAN, buildCamt053, buildCamt054, buildPain002 } from '../../../../test/factories-bank.ts'
import { readTable } from '../../../files/table-file.ts'

const read = (bytes: Buffer | string) => parseBankFile(Buffer.from(bytes), null, readTable)
const readLines = async (bytes: Buffer) => (await read(bytes)).statements.flatMap(({ lines }) => lines)

test.each(['02', '08'] as const)('camt.053.001.%s: who paid what, when and with which words', async (version) => {
  const paid = {
    amount: 2317,
    text: 'Facture SOL2026-00042 &amp; merci',
    name: 'LEFEVRE ANNA',
    iban: ANNA_IBAN,
    endToEndId: 'NOTPROVIDED',
  }
  const { format, statements } = await read(
    buildCamt053({ entries: [paid, { amount: -1150, name: 'ENEDIS' }], version }),
  )
  expect(format).toBe('camt.053')
  expect(statements).toHaveLength(1)
  expect(statements[0]).toMatchObject({
    account: 'FR7630006000011234567890189',
    opening: 103_417,
    closing: 104_584,
    from: '2026-06-18',
    to: '2026-06-18',
  })
  expect(statements[0]?.lines).toMatchObject([
    {
      amount: 2317,
      label: 'Facture SOL2026-00042 & merci',
      party: 'LEFEVRE ANNA',
      partyIban: ANNA_IBAN,
      endToEndId: '',
      reference: 'REF0',
    },
    { amount: -1150, party: 'ENEDIS', bookedOn: '2026-06-18' },
  ])
})

test('a batch is opened where its parts make the entry, and stays whole where they do not', async () => {
  const parts = [
    { amount: 2317, endToEndId: 'E-1' },
    { amount: 1903, endToEndId: 'E-2' },
  ]
  expect(await readLines(buildCamt053({ entries: [{ amount: 4220, batchId: 'B1', parts }] }))).toMatchObject([
    { amount: 2317, endToEndId: 'E-1', batchId: 'B1', part: 'E-1' },
    { amount: 1903, endToEndId: 'E-2', batchId: 'B1', part: 'E-2' },
  ])
  const whole = await readLines(buildCamt053({ entries: [{ amount: 4221, batchId: 'B1', parts }] }))
  expect(whole).toMatchObject([{ amount: 4221, endToEndId: '', batchId: 'B1' }])
})

test('a returned debit bears its reason, and what the bank keeps for it stands apart', async () => {
  const [line] = await readLines(
    buildCamt053({ entries: [{ amount: -2667, endToEndId: 'E-1', code: 'AM04', charge: 350, name: 'ANNA' }] }),
  )
  expect(line).toMatchObject({ amount: -2667, charge: 350, returnCode: 'AM04', endToEndId: 'E-1', party: 'ANNA' })
})

test('what is only announced is not there yet', async () => {
  expect(await readLines(buildCamt053({ entries: [{ amount: 100, pending: true }] }))).toEqual([])
})

test('a statement that does not come out is refused, with its figures', async () => {
  await expect(read(buildCamt053({ entries: [{ amount: 2317 }], closing: 105_735 }))).rejects.toThrow(
    /ne tombe pas juste\u00a0: solde d’ouverture 1\u00a0034,17\u00a0€ et mouvements 23,17\u00a0€ font 1\u00a0057,34\u00a0€, la banque écrit 1\u00a0057,35/,
  )
})

test.each([
  ['%PDF-1.7', 'document PDF'],
  [
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Document xmlns="camt.053.001.08"><a>&b;</a></Document>',
    'DOCTYPE',
  ],
  [
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"><a/></Document>',
    'n’est pas un message de banque connu',
  ],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt></Document>', 'mal formé'],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt/></Document>', 'aucun relevé'],
  ['Date;Libellé;Montant\n01/06/2026;x;1,00', 'quelle colonne'],
])('%s is refused in words', async (content, words) => {
  await expect(read(content)).rejects.toThrow(words)
})

test('another currency and an amount of three decimals are no euros', async () => {
  const statement = buildCamt053({ entries: [{ amount: 2317 }] }).toString()
  await expect(read(statement.replaceAll('Ccy="EUR"', 'Ccy="USD"'))).rejects.toThrow('en USD')
  await expect(read(statement.replaceAll('>23.17<', '>23.175<'))).rejects.toThrow('n’est pas lisible')
  expect([parseCents('12'), parseCents('12.5'), parseCents('12.50'), parseCents('12.500'), parseCents('1,5')]).toEqual([
    1200,
    1250,
    1250,
    1250,
    null,
  ])
})

test('camt.054 and pain.002 tell of returns, and of no money', async () => {
  const notice = await read(buildCamt054([{ amount: -2317, endToEndId: 'E-1', code: 'MD06', on: '2026-07-02' }]))
  expect(notice.returns).toEqual([{ endToEndId: 'E-1', batchId: '', code: 'MD06', on: '2026-07-02', messageId: '' }])
  expect(notice.statements.flatMap(({ lines }) => lines)).toEqual([])
  const report = await read(
    buildPain002('VS7-1', [
      { endToEndId: 'E-1', code: 'AC04' },
      { endToEndId: 'E-2', code: '', state: 'ACCP' },
    ]),
  )
  expect(report.returns).toEqual([
    { endToEndId: 'E-1', batchId: 'VS7-1-R', code: 'AC04', on: '2026-06-17', messageId: 'VS7-1' },
  ])
  const whole = await read(buildPain002('VS7-1', [], 'RJCT'))
  expect(whole.returns).toMatchObject([{ endToEndId: '', batchId: '', messageId: 'VS7-1' }])
})

const COLUMNS = {
  date: 'Date',
  label: 'Libellé',
  amount: '',
  credit: 'Crédit',
  debit: 'Débit',
  party: '',
  reference: '',
  dayFirst: true,
}

test('a table is read by the columns of its account, wherever its titles stand', async () => {
  const csv =
    'Compte 12345;;;\nDate;Libellé;Débit;Crédit\n18/06/2026;VIR ANNA SOL2026-00042;;1 023,17\n18/06/2026;FRAIS;-3,50;\n'
  const { statements } = await parseBankFile(Buffer.from(csv), COLUMNS, readTable)
  expect(statements[0]?.lines).toMatchObject([
    { bookedOn: '2026-06-18', amount: 102_317, label: 'VIR ANNA SOL2026-00042' },
    { amount: -350, label: 'FRAIS' },
  ])
  const look = await previewTable(Buffer.from(csv), readTable)
  expect(look?.columns).toEqual(COLUMNS)
  await expect(parseBankFile(Buffer.from('Jour;Texte;Somme\n1;2;3'), COLUMNS, readTable)).rejects.toThrow(
    'nommez-les de nouveau',
  )
  await expect(
    parseBankFile(Buffer.from(csv.replace('18/06/2026;V', '31/02/2026;V')), COLUMNS, readTable),
  ).rejects.toThrow('Ligne 3')
})

test.each([
  ['1 234,56', 123_456],
  ['1\u202f234,5', 123_450],
  ['1.234,56 €', 123_456],
  ['1,234.56', 123_456],
  ['-12.50', -1250],
  ['12,50-', -1250],
  ['(12,50)', -1250],
  ['1 234', 123_400],
  ['abc', null],
  ['', null],
])('« %s » is %s cents', (text, cents) => {
  expect(parseTableCents(text)).toBe(cents)
})

test('days are written in several ways, and there is no 31 February', () => {
  expect([
    parseTableDay('1/6/26', true),
    parseTableDay('2026-06-01', true),
    parseTableDay('06/01/2026', false),
    parseTableDay('31/02/2026', true),
  ]).toEqual(['2026-06-01', '2026-06-01', '2026-06-01', null])
})
