import { expect, test } from 'vitest'
import {
  type BankLine,
  createBankLineMatcher,
  type DueItem,
  findExactSets,
  findNumbers,
  normalizeReference,
  toNameKey,
} from './bank-matching.ts'

const line = (more: Partial<BankLine>): BankLine => ({
  id: 'l',
  amount: 2317,
  endToEndId: '',
  rum: '',
  batchId: '',
  text: '',
  account: '',
  name: '',
  ...more,
})
const debit = (id: string, amount: number, more = {}) => ({
  id,
  endToEndId: `E-${id}`,
  rum: `R-${id}`,
  batchId: 'B1',
  amount,
  ...more,
})
const item = (number: string, open: number, more: Partial<DueItem> = {}): DueItem => ({
  id: number.toLowerCase(),
  number,
  pair: 'roof anna',
  due: '2026-05-19',
  open,
  ...more,
})
const KNOWN = {
  debits: [debit('d1', 2317), debit('d2', 1903), debit('d3', 777, { batchId: 'B2' })],
  items: [
    item('SOL2026-00042', 2317),
    item('SOL2026-00051', 1409, { due: '2026-06-18' }),
    item('SOL2026-00043', 3111, { pair: 'roof bruno' }),
    item('SOL2026-00044', 3111, { pair: 'roof carla' }),
  ],
  payers: [
    { pair: 'roof anna', accounts: ['iban-anna'], names: ['Anna Lefèvre'] },
    { pair: 'roof bruno', accounts: ['iban-joint'], names: ['Bruno Petit'] },
    { pair: 'roof carla', accounts: ['iban-joint'], names: ['Carla Petit', 'Carla Roux'] },
  ],
}
const find = createBankLineMatcher(KNOWN)

test('the bank reference of a debit is tried first, and is certain only to the cent', () => {
  expect(find(line({ endToEndId: 'E-d1', text: 'SOL2026-00043' }))).toEqual({
    step: 1,
    certain: true,
    debits: ['d1'],
    pair: '',
    items: [],
  })
  expect(find(line({ endToEndId: 'E-d1', amount: 2316 }))).toMatchObject({ step: 1, certain: false })
})

test('a batch reference matches all its debits, if they sum to the amount', () => {
  expect(find(line({ batchId: 'B1', amount: 4220 }))).toMatchObject({ step: 1, certain: true, debits: ['d1', 'd2'] })
  expect(find(line({ batchId: 'B1', amount: 4219 }))).toMatchObject({ certain: false })
})

test('the mandate and the amount identify one debit', () => {
  expect(find(line({ rum: 'R-d2', amount: 1903 }))).toMatchObject({ step: 2, certain: true, debits: ['d2'] })
  expect(find(line({ rum: 'R-d2', amount: 1904 }))).toBeNull()
  const twice = createBankLineMatcher({
    ...KNOWN,
    debits: [debit('d8', 500, { rum: 'R' }), debit('d9', 500, { rum: 'R' })],
  })
  expect(twice(line({ rum: 'R', amount: 500 }))).toBeNull()
})

test.each([
  ['Facture sol 2026 00042', 2317, true, ['sol2026-00042']],
  ['RF18SOL202600042', 2317, true, ['sol2026-00042']],
  ['SOL2026-00051 ET SOL2026-00042 MERCI', 3726, true, ['sol2026-00042', 'sol2026-00051']],
  ['SOL2026-00042', 2300, false, ['sol2026-00042']],
  ['SOL2026-00042', 2318, false, ['sol2026-00042']],
])('finds a document in « %s » of %i cents', (text, amount, certain, items) => {
  expect(find(line({ text, amount }))).toMatchObject({ step: 3, certain, items, pair: 'roof anna' })
})

test('numbers of two accounts in one text match nobody', () => {
  expect(find(line({ text: 'SOL2026-00042 SOL2026-00043', amount: 5428 }))).toBeNull()
})

test('a known account or name with one open set is proposed, never posted', () => {
  expect(find(line({ account: 'iban-anna', amount: 1409 }))).toMatchObject({
    step: 4,
    certain: false,
    items: ['sol2026-00051'],
  })
  expect(find(line({ account: 'iban-anna', amount: 3726 }))).toMatchObject({
    step: 4,
    items: ['sol2026-00042', 'sol2026-00051'],
  })
  expect(find(line({ name: 'MME LEFEVRE ANNA', amount: 2317 }))).toMatchObject({ step: 5, certain: false })
  expect(find(line({ name: 'ROUX CARLA', amount: 3111 }))).toMatchObject({ step: 5, pair: 'roof carla' })
})

test('two sets that fit are ambiguous: nothing is proposed', () => {
  expect(find(line({ account: 'iban-joint', amount: 3111 }))).toBeNull()
  expect(findExactSets([item('A1', 100), item('A2', 100)], 100)).toHaveLength(2)
})

test('the amount before a credit note is proposed to its payer, whatever is left of the document', () => {
  const known = (open: number, credited: number, more: DueItem[] = []) =>
    createBankLineMatcher({ ...KNOWN, items: [item('SOL2026-00042', open, { credited }), ...more] })
  const proposed = { certain: false, pair: 'roof anna', items: ['sol2026-00042'] }
  // 23,17 € less a credit note of 4,01 €; then one of the full amount.
  expect(known(1916, 401)(line({ account: 'iban-anna' }))).toMatchObject({ step: 4, ...proposed })
  expect(known(1916, 401)(line({ name: 'LEFEVRE ANNA' }))).toMatchObject({ step: 5, ...proposed })
  expect(known(0, 2317)(line({ account: 'iban-anna' }))).toMatchObject({ step: 4, ...proposed })
  expect(known(0, 2317)(line({ text: 'SOL2026-00042' }))).toMatchObject({ step: 3, ...proposed })
  // Together with the other documents of its payer, the oldest first.
  const later = item('SOL2026-00051', 1409, { due: '2026-06-18' })
  expect(known(1916, 401, [later])(line({ account: 'iban-anna', amount: 3726 }))).toMatchObject({
    step: 4,
    items: ['sol2026-00042', 'sol2026-00051'],
  })
})

test('the open amount wins over the amount before credits, which is ambiguous for two documents', () => {
  const [now, before] = [item('SOL2026-00051', 2317), item('SOL2026-00042', 1916, { credited: 401 })]
  const both = createBankLineMatcher({ ...KNOWN, items: [now, before] })
  expect(both(line({ account: 'iban-anna' }))).toMatchObject({ items: ['sol2026-00051'] })
  const twice = createBankLineMatcher({ ...KNOWN, items: [before, item('SOL2026-00051', 2000, { credited: 317 })] })
  expect(twice(line({ account: 'iban-anna' }))).toBeNull()
  // What was paid since is not owed either in the amount before a credit note.
  const paid = createBankLineMatcher({ ...KNOWN, items: [item('SOL2026-00042', 0, { credited: 401 })] })
  expect(paid(line({ account: 'iban-anna' }))).toBeNull()
})

test('what is paid already, outgoing money and unknown references match nothing', () => {
  const paid = createBankLineMatcher({ ...KNOWN, items: [item('SOL2026-00042', 0)] })
  expect(paid(line({ text: 'SOL2026-00042' }))).toBeNull()
  expect(find(line({ amount: -2317, text: 'SOL2026-00042' }))).toBeNull()
  expect(find(line({}))).toBeNull()
})

test('a number that another number starts with is not matched', () => {
  const numbers = new Map([item('T2026-1', 5), item('T2026-11', 7)].map((one) => [normalizeReference(one.number), one]))
  expect(findNumbers('T2026-11', numbers, [7, 6]).map(({ number }) => number)).toEqual(['T2026-11'])
})

test('names match in any order, without titles and accents', () => {
  expect(toNameKey('M. ou Mme Éric DE LA TOUR')).toBe(toNameKey('de la tour eric'))
})

test('the cost of a line does not grow with the number of open items', () => {
  const many = Array.from({ length: 5000 }, (_, at) =>
    item(`SOL2026-${String(at).padStart(5, '0')}`, 1000 + at, { pair: `p${at}` }),
  )
  const all = createBankLineMatcher({ debits: [], items: many, payers: [] })
  const found = many.map(({ number, open }) =>
    all(line({ text: `virement facture ${number} merci beaucoup`, amount: open })),
  )
  expect(found.every((one) => one?.certain)).toBe(true)
})
