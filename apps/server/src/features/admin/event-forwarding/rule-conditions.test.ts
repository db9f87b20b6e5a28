import { EVENTS } from '@voisol/contract/events'
import { ROUTED_EVENTS } from '@voisol/contract/flow-rules'
import { expect, test } from 'vitest'
import { findConditionFault, findUnmetCondition, getEventFields, getValueAt, pickFields } from './rule-conditions.ts'

const invoice = {
  number: 'SOL2026-00042',
  gross: 2317,
  buyerId: null,
  kind: 'invoice',
  days: { from: '2026-05-07', to: null },
  participationIds: ['a1', 'b2'],
  retried: false,
}
type Is = 'equals' | 'contains' | 'greater' | 'among'
const meets = (field: string, is: Is, ...values: string[]) => !findUnmetCondition([{ field, is, values }], invoice)

test.each<[string, Is, string[], boolean]>([
  ['gross', 'equals', ['2317'], true],
  ['gross', 'equals', ['2 317,0'], true],
  ['gross', 'equals', ['231'], false],
  ['gross', 'greater', ['2316'], true],
  ['gross', 'greater', ['2317'], false],
  // Numbers are compared as numbers, not as text.
  ['gross', 'greater', ['999'], true],
  ['days.from', 'greater', ['2026-05-06'], true],
  ['days.from', 'greater', ['2026-05-07'], false],
  ['number', 'contains', ['sol2026'], true],
  ['number', 'equals', ['sol2026-00042'], false],
  ['kind', 'among', ['creditNote', 'invoice'], true],
  ['kind', 'among', ['creditNote'], false],
  ['participationIds', 'contains', ['b2'], true],
  ['participationIds', 'contains', ['b'], false],
  ['participationIds', 'among', ['c3', 'a1'], true],
  ['retried', 'equals', ['false'], true],
  // A missing field matches nothing, not even the text "null".
  ['buyerId', 'equals', ['null'], false],
  ['days.to', 'contains', ['u'], false],
  ['absent', 'equals', ['undefined'], false],
  ['constructor.name', 'equals', ['Object'], false],
])('condition %s %s %s matches: %s', (field, is, values, met) => expect(meets(field, is, ...values)).toBe(met))

test('inherited properties of an object are not fields', () => {
  expect(['toString', '__proto__', 'days.hasOwnProperty'].map((path) => getValueAt(invoice, path))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('matches when all conditions hold, and otherwise returns the first that does not', () => {
  const right = { field: 'kind', is: 'equals' as const, values: ['invoice'] }
  const wrong = { field: 'gross', is: 'greater' as const, values: ['5000'] }
  expect([
    findUnmetCondition([], invoice),
    findUnmetCondition([right], invoice),
    findUnmetCondition([right, wrong], invoice),
  ]).toEqual([undefined, undefined, wrong])
})

test('sends the picked fields under their new names, or all fields when none is picked', () => {
  expect(
    pickFields(
      [
        { from: 'gross', to: 'montant' },
        { from: 'days.from', to: 'du' },
        { from: 'buyerId', to: 'client' },
      ],
      invoice,
    ),
  ).toEqual({
    montant: 2317,
    du: '2026-05-07',
    client: null,
  })
  expect(pickFields([], invoice)).toEqual(invoice)
})

test.each(ROUTED_EVENTS)('the fields of %s are those of its sample', (name) => {
  const { sample } = EVENTS[name]
  const fields = getEventFields(name)
  expect(fields.length).toBeGreaterThan(0)
  for (const key of Object.keys(sample))
    expect(fields.some(({ path }) => path === key || path.startsWith(`${key}.`))).toBe(true)
  for (const { path } of fields) expect(path.split('.')[0] ?? '' in sample).toBeTruthy()
})

test('no event contains a secret field, so that no condition can test one', () => {
  const hidden = /secret|token|password|iban|hash$|email|phone|address/i
  const found = ROUTED_EVENTS.flatMap((name) =>
    getEventFields(name).flatMap(({ path }) => (hidden.test(path) ? `${name} ${path}` : [])),
  )
  // This is the hash of an allocation result, which is no secret.
  expect(found).toEqual(['allocation.completed resultHash'])
})

test.each([
  [{ field: 'secret', is: 'equals', values: ['x'] }, 'n’est pas dans cet événement'],
  [{ field: '__proto__', is: 'contains', values: ['x'] }, 'n’est pas dans cet événement'],
  [{ field: 'gross', is: 'greater', values: ['beaucoup'] }, 'Un nombre est attendu'],
  [{ field: 'gross', is: 'equals', values: ['1', '2'] }, 'Une seule valeur'],
] as const)('refuses the condition %o', (condition, words) => {
  const given = { ...condition, values: [...condition.values] }
  expect(findConditionFault(given, getEventFields('invoice.issued'))).toContain(words)
})

test('a list of records can be sent but not used in a condition', () => {
  const fields = getEventFields('payment.received')
  expect(fields.find(({ path }) => path === 'matched')).toEqual({ path: 'matched', type: 'list', compared: false })
  expect(findConditionFault({ field: 'matched', is: 'contains', values: ['x'] }, fields)).toContain('liste d’objets')
  expect(getValueAt({ matched: [] }, 'matched')).toEqual([])
})
