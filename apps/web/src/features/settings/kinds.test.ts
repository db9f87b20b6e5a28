import { SETTING_NAMES, SETTINGS } from '@voisol/contract/dated-settings'
import { expect, test } from 'vitest'
import { GROUPS, kindOf, labelOf, ratesOf, shortLabel } from './kinds.ts'

const plain = SETTING_NAMES.filter((name) => name !== 'accise.rates')

test.each(plain)('what a form shows of %s is what it would save', (name) => {
  for (const { value } of SETTINGS[name].said) {
    const kind = kindOf(name)
    expect(SETTINGS[name].value.parse(kind.schema.parse(kind.text(value)))).toEqual(value)
    expect(kind.shown(value)).not.toBe('')
  }
})

test('figures are read in the unit in which people say them', () => {
  expect(kindOf('vat.standardRate').schema.parse('8,5')).toBe(850)
  expect(kindOf('vat.standardRate').shown(850)).toBe('8,5\u00a0%')
  expect(kindOf('correction.heldCents').schema.parse('0,75')).toBe(75)
  expect(kindOf('accise.thresholdWatts').schema.parse('1 000')).toBe(1_000_000)
  expect(kindOf('statement.whenFree').schema.parse('false')).toBe(false)
  expect(kindOf('quantity.unitWh').shown(1000)).toBe('Au kilowattheure')
})

test('every setting stands under one heading, its label without its unit', () => {
  for (const name of SETTING_NAMES) expect([name, GROUPS.filter(({ has }) => has(name)).length]).toEqual([name, 1])
  expect(labelOf(SETTINGS['accise.rates'].label)).toBe('Tarifs de l’accise')
  expect(shortLabel(SETTINGS['mention.discount'].label)).toBe('Escompte')
  expect(ratesOf(SETTINGS['accise.rates'].said[0]?.value)).toHaveLength(3)
})
