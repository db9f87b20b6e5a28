import { z } from 'zod'
import { Id, Text, Version } from './primitives.ts'

const Account = z
  .string()
  .trim()
  .regex(/^[1-8][0-9A-Z]{2,11}$/, 'Un compte compte trois à douze chiffres, par exemple 411000.')
/** The digits of the rate are appended to it: 44571 and 20 % make 445712000. */
const VatAccount = z
  .string()
  .trim()
  .regex(/^[1-8][0-9]{2,7}$/, 'Un début de compte compte trois à huit chiffres, par exemple 44571.')

export const CHART_ACCOUNT_NAMES = [
  'customer',
  'doubtful',
  'advances',
  'accrued',
  'energy',
  'fees',
  'accise',
  'accruedVat',
  'bank',
  'online',
  'cash',
  'producers',
  'suppliers',
  'bankFees',
  'writeOffs',
  'smallWriteOffs',
  'charges',
  'provision',
  'provisionCost',
  'opening',
  'profit',
  'loss',
  'keptProfit',
  'keptLoss',
] as const

const ChartOfAccounts = z.strictObject({
  ...(Object.fromEntries(CHART_ACCOUNT_NAMES.map((name) => [name, Account])) as Record<
    (typeof CHART_ACCOUNT_NAMES)[number],
    typeof Account
  >), // the keys come from the same list
  vat: VatAccount,
})
const Journal = z.strictObject({
  code: z
    .string()
    .trim()
    .regex(/^[A-Z0-9]{1,6}$/, 'Un code de journal compte une à six lettres ou chiffres, par exemple VE.'),
  label: Text.max(60),
})
const Journals = z.strictObject({ opening: Journal, sales: Journal, bank: Journal, misc: Journal })

export const BookSettings = z.object({
  chart: ChartOfAccounts,
  journals: Journals,
  yearStart: z.int().min(1).max(12),
  smallWriteOff: z.int().min(0).max(100_000),
  version: z.int(),
})
export type BookSettings = z.infer<typeof BookSettings>
export const BookSettingsUpdate = z.strictObject({ ...BookSettings.shape, version: z.int().min(0) })

/** The values that a column of an export may contain. */
export const EXPORT_FIELDS = [
  'journalCode',
  'journalLabel',
  'number',
  'day',
  'account',
  'accountLabel',
  'aux',
  'auxLabel',
  'accountOrAux',
  'pieceRef',
  'pieceDay',
  'label',
  'debit',
  'credit',
  'amount',
  'side',
  'letter',
  'currency',
  'blank',
] as const
export const ExportField = z.enum(EXPORT_FIELDS)
export type ExportField = z.infer<typeof ExportField>

export const ExportProfile = z.strictObject({
  columns: z
    .array(z.strictObject({ field: ExportField, header: z.string().trim().max(60) }))
    .min(1, 'Choisissez au moins une colonne.')
    .max(40),
  separator: z.enum([';', ',', '\t', '|']),
  header: z.boolean(),
  decimal: z.enum([',', '.']),
  /** 31/12/2026, 311226, 20261231 or 2026-12-31. */
  dates: z.enum(['dd/mm/yyyy', 'ddmmyy', 'yyyymmdd', 'yyyy-mm-dd']),
  encoding: z.enum(['utf-8', 'iso-8859-15']),
  extension: z.enum(['csv', 'txt']),
})
export type ExportProfile = z.infer<typeof ExportProfile>
export const NewExportProfile = z.strictObject({ name: Text.max(60), profile: ExportProfile })
export const SavedProfile = z.object({
  /** A built-in format by its name, a format of the company by its id. */
  id: z.string(),
  name: z.string(),
  builtIn: z.boolean(),
  profile: ExportProfile,
  version: z.int(),
})
export type SavedProfile = z.infer<typeof SavedProfile>
export const ExportProfileUpdate = z.strictObject({ ...NewExportProfile.shape, version: Version })
export const profileParams = z.object({ id: Id })
