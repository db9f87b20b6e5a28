import { SETTING_NAMES } from '@voisol/contract/dated-settings'
import { expect, test } from 'vitest'
import { settingLabel } from './setting-label.ts'

test('what an invoice rests on is named in French, and never by its key', () => {
  expect(settingLabel('quantity.unitWh')).toBe('Unité facturée')
  expect(settingLabel('accise.rates')).toBe('Tarifs de l’accise')
  for (const name of SETTING_NAMES) expect(settingLabel(name)).not.toMatch(/^\w+\.\w+$/)
  expect(settingLabel('oubli.ancien')).toBe('oubli.ancien')
})
