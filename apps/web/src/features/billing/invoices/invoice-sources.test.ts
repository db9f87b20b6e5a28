import { SETTING_NAMES } from '@voisol/contract/dated-settings'
import { expect, test } from 'vitest'
import { getSettingLabel } from './invoice-sources.tsx'

test('what an invoice rests on is named in French, and never by its key', () => {
  expect(getSettingLabel('quantity.unitWh')).toBe('Unité facturée')
  expect(getSettingLabel('accise.rates')).toBe('Tarifs de l’accise')
  for (const name of SETTING_NAMES) expect(getSettingLabel(name)).not.toMatch(/^\w+\.\w+$/)
  expect(getSettingLabel('oubli.ancien')).toBe('oubli.ancien')
})
