import { SETTINGS } from '@voisol/contract/dated-settings'

const LABELS: ReadonlyMap<string, string> = new Map(Object.entries(SETTINGS).map(([name, { label }]) => [name, label]))

/** A rule by what it is called, without its unit; one that is no longer known keeps the name it was sealed under. */
export const settingLabel = (name: string) => LABELS.get(name)?.replace(/\s*\([^)]*\)$/, '') ?? name
