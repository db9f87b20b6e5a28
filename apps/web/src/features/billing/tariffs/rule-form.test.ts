import type { TariffChoices } from '@voisol/contract/tariffs'
import { expect, test } from 'vitest'
import {
  buildSchemeRules,
  createBlankRule,
  describeMissing,
  describeTariffRule,
  toRuleForms,
  toTariffRule,
  toTariffRules,
} from './rule-form.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const choices: TariffChoices = {
  producers: [
    { id: id(1), name: 'Toit de l’école' },
    { id: id(2), name: 'Ombrière' },
  ],
  buyers: [{ id: id(3), name: 'Mme Morel', groupId: null }],
  groups: [
    { id: id(4), name: 'Commerces' },
    { id: id(5), name: 'Tarif social' },
  ],
  sellers: [],
  classes: ['HPH', 'HCH', 'HPB', 'HCB'],
  supplierPrice: null,
  surplusPrice: null,
  openFrom: null,
}

test('what is stored and what is typed are the same rule', () => {
  const rules = [
    { id: 'r1', label: '', price: 1543 },
    { id: 'r2', label: 'Creuses', price: 1201, class: 'HCB' as const, producer: id(1) },
    {
      id: 'r3',
      label: '',
      price: 1499,
      group: id(4),
      index: { indexId: id(6), base: '118.02', fixedBp: 2000, floor: 1300, cap: 1700 },
    },
  ]
  expect(toTariffRules(toRuleForms(rules))).toEqual(rules)
})

test('nothing is sent while a figure cannot be read', () => {
  const read = (more: object) => toTariffRule({ ...createBlankRule('15,43'), ...more }, 0)
  const index = { indexId: id(6), base: '118,02' }
  expect(read({})).toEqual({ id: 'r1', label: '', price: 1543 })
  expect(read(index)?.index).toEqual({ indexId: id(6), base: '118.02', fixedBp: 0 })
  const unread = [{ price: '' }, { price: '-1' }, { price: '15,431' }, { ...index, base: '' }]
  const wrong = [
    { ...index, fixed: '101' },
    { ...index, cap: 'x' },
    { ...index, floor: '-2' },
  ]
  for (const more of [...unread, ...wrong]) expect([more, read(more)]).toEqual([more, null])
  expect(toTariffRules([createBlankRule('15'), createBlankRule('')])).toBeNull()
})

test('each simple way makes its rules at the price for everybody', () => {
  const typed = [createBlankRule('0', { group: id(5) }), createBlankRule('15,43')]
  const made = (way: Parameters<typeof buildSchemeRules>[0]) =>
    buildSchemeRules(way, typed, choices).map(({ price, group, producer, class: name }) => [
      price,
      group || producer || name,
    ])
  expect(made('flat')).toEqual([['15,43', '']])
  expect(made('class')).toEqual(['HPH', 'HCH', 'HPB', 'HCB'].map((name) => ['15,43', name]))
  expect(made('producer')).toEqual([1, 2].map((n) => ['15,43', id(n)]))
  expect(made('group')).toEqual([
    ['15,43', ''],
    ['15,43', id(4)],
    ['15,43', id(5)],
  ])
  expect(made('social')).toEqual([
    ['15,43', ''],
    ['0', id(5)],
  ])
  expect(describeMissing('social', { ...choices, groups: [] })).not.toBe('')
  expect([describeMissing('social', choices), describeMissing('flat', { ...choices, groups: [] })]).toEqual(['', ''])
})

test('a rule says for whom it is', () => {
  expect(describeTariffRule(createBlankRule('1'), choices)).toBe('Tous les acheteurs, à toute heure')
  expect(describeTariffRule({ buyer: id(3), producer: id(2), class: 'HPH' }, choices)).toBe(
    'Mme Morel · Ombrière · Heures pleines, saison haute',
  )
  expect(describeTariffRule({ group: id(5) }, choices)).toBe('Groupe Tarif social')
})
