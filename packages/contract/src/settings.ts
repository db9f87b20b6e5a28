import { z } from 'zod'
import { SETTING_DEFINITIONS, SETTING_NAMES } from './dated-settings.ts'
import { defineEndpoint } from './endpoint.ts'
import { Day, Instant } from './primitives.ts'

/** What a figure or a text is from a day on, and who said so: nobody where it is the product's own word. */
export const DatedSettingValue = z.object({
  value: z.unknown(),
  from: Day,
  source: z.string(),
  said: z.object({ by: z.string(), at: Instant }).nullable(),
  /** Over, in force today, to come, or replaced by another word of the same day. */
  state: z.enum(['past', 'held', 'future', 'replaced']),
})
export type DatedSettingValue = z.infer<typeof DatedSettingValue>

export const Setting = z.object({
  name: z.enum(SETTING_NAMES),
  label: z.string(),
  held: DatedSettingValue,
  /** All of them, in the order of their days. */
  words: z.array(DatedSettingValue),
})
export type Setting = z.infer<typeof Setting>

/** Before that day no invoice was made; after, no law is known. */
const SettingDay = Day.refine(
  (day) => day >= '2020-01-01' && day < '2100-01-01',
  'Un jour entre 2020 et 2099 est attendu.',
)

export const NewSettingValue = z
  .strictObject({
    name: z.enum(SETTING_NAMES),
    value: z.unknown(),
    from: SettingDay,
    source: z.string().trim().min(5, 'Dites d’où vient cette valeur\u00a0: un texte de loi, une décision.').max(500),
  })
  .superRefine(({ name, value }, context) => {
    for (const { path, message } of SETTING_DEFINITIONS[name].value.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['value', ...path], message })
  })

export const settings = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/billing-settings',
    access: { permission: 'parties.read' },
    summary: 'Lister les réglages légaux de la facturation',
    response: z.object({ items: z.array(Setting) }),
  }),
  /** What was said stays: another word is added. `note` tells what it does not change. */
  say: defineEndpoint({
    method: 'POST',
    path: '/api/billing-settings',
    access: { permission: 'parties.write' },
    summary: 'Dire la valeur d’un réglage légal à partir d’un jour',
    body: NewSettingValue,
    response: Setting.extend({ note: z.string() }),
  }),
}
