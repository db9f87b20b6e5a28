export { loadSettingHistory, type SettingHistory } from './setting-history.ts'
export {
  type EffectiveSettings,
  getSettingsOn,
  loadAcciseRates,
  loadSettingPeriods,
  loadSettingsOn,
  resolveAcciseClass,
} from './settings.ts'
