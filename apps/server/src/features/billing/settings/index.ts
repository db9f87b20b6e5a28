export { loadSettingHistory, type SettingHistory } from './setting-history.ts'
export {
  type EffectiveSettings,
  getSettingPeriods,
  getSettingsOn,
  loadAcciseRates,
  loadSettingsOn,
  resolveAcciseClass,
} from './settings.ts'
