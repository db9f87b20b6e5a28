import { SETTING_DEFINITIONS } from '@voisol/contract/dated-settings'

const SETTING_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(SETTING_DEFINITIONS).map(([name, { label }]) => [name, label]),
)

/** A rule by what it is called, without its unit; one that is no longer known keeps the name it was sealed under. */
export const getSettingLabel = (name: string) => SETTING_LABELS.get(name)?.replace(/\s*\([^)]*\)$/, '') ?? name
