import { SETTING_DEFINITIONS, SETTING_NAMES } from '@voisol/contract/dated-settings'
import { expect, test } from 'vitest'
import {
  getLabelWithoutUnit,
  getSettingKind,
  getShortLabel,
  parseAcciseRates,
  SETTING_GROUPS,
} from './setting-kinds.ts'

const plain = SETTING_NAMES.filter((name) => name !== 'accise.rates')

test.each(plain)('what a form shows of %s is what it would save', (name) => {
  for (const { value } of SETTING_DEFINITIONS[name].said) {
    const kind = getSettingKind(name)
    expect(SETTING_DEFINITIONS[name].value.parse(kind.schema.parse(kind.text(value)))).toEqual(value)
    expect(kind.shown(value)).not.toBe('')
  }
})

test('figures are read in the unit in which people say them', () => {
  expect(getSettingKind('vat.standardRate').schema.parse('8,5')).toBe(850)
  expect(getSettingKind('vat.standardRate').shown(850)).toBe('8,5\u00a0%')
  expect(getSettingKind('correction.heldCents').schema.parse('0,75')).toBe(75)
  expect(getSettingKind('accise.thresholdWatts').schema.parse('1 000')).toBe(1_000_000)
  expect(getSettingKind('statement.whenFree').schema.parse('false')).toBe(false)
  expect(getSettingKind('quantity.unitWh').shown(1000)).toBe('Au kilowattheure')
})

test('every setting stands under one heading, its label without its unit', () => {
  for (const name of SETTING_NAMES)
    expect([name, SETTING_GROUPS.filter(({ has }) => has(name)).length]).toEqual([name, 1])
  expect(getLabelWithoutUnit(SETTING_DEFINITIONS['accise.rates'].label)).toBe('Tarifs de l’accise')
  expect(getShortLabel(SETTING_DEFINITIONS['mention.discount'].label)).toBe('Escompte')
  expect(parseAcciseRates(SETTING_DEFINITIONS['accise.rates'].said[0]?.value)).toHaveLength(3)
})
