export {
  type EffectiveSettings,
  loadAcciseRates,
  loadSettingPeriods,
  loadSettingsOn,
  resolveAcciseClass,
} from './settings.ts'
