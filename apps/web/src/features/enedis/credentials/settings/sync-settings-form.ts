import { type SyncSettings, sync } from '@voisol/contract/sync'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { parseNumber } from '../../../../lib/format.ts'

const wholeNumberField = (least: number, most: number) =>
  z.string().refine((text) => {
    const value = parseNumber(text)
    return value !== null && Number.isInteger(value) && value >= least && value <= most
  }, `Un nombre entier est attendu, de ${least} à ${most}.`)

const { folder, fileKey, version } = sync.saveSettings.body.shape

/** What people type; the names are those of the contract, so that what the server says finds its field. */
export const SyncSettingsForm = z.object({
  hour: z.string(),
  enabled: z.boolean(),
  rollingDays: wholeNumberField(1, 30),
  folder,
  toleranceWh: wholeNumberField(0, 100_000),
  fileKey: z.string().trim().pipe(fileKey.unwrap()),
  forgetKey: z.boolean(),
  version,
})
export type SyncSettingsForm = z.output<typeof SyncSettingsForm>
export type SyncSettingsFormState = UseFormReturn<z.input<typeof SyncSettingsForm>, unknown, SyncSettingsForm>

export const toSyncSettingsForm = (settings: SyncSettings): z.input<typeof SyncSettingsForm> => ({
  hour: String(settings.hour),
  enabled: settings.enabled,
  rollingDays: String(settings.rollingDays),
  folder: settings.folder,
  toleranceWh: String(settings.toleranceWh),
  fileKey: '',
  forgetKey: false,
  version: settings.version,
})

/** The key is sent only where it changes: an empty one means that it is forgotten. */
export const toSyncSettingsBody = ({ forgetKey, fileKey: key, ...form }: SyncSettingsForm) => ({
  ...form,
  hour: Number(form.hour),
  rollingDays: parseNumber(form.rollingDays) ?? 0,
  toleranceWh: parseNumber(form.toleranceWh) ?? 0,
  ...(key ? { fileKey: key } : forgetKey ? { fileKey: '' } : {}),
})

export const SYNC_HOUR_OPTIONS = Array.from({ length: 16 }, (_, at) => ({
  value: String(at + 8),
  label: `${at + 8}\u00a0h`,
}))

/** One that was chosen under other rules is named, so that it can be left. */
export const buildFolderOptions = ({ folder, folders }: Pick<SyncSettings, 'folder' | 'folders'>) => [
  { value: '', label: 'Aucun' },
  ...folders.map((path) => ({ value: path, label: path })),
  ...(folder && !folders.includes(folder) ? [{ value: folder, label: `${folder} (n’est plus permis)` }] : []),
]
