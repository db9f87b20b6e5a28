import { z } from 'zod'
import './validation-messages.ts'

export const Id = z.uuid()
/** Companies are numbered: their id stands in addresses such as /companies/1/operations. */
export const CompanyId = z.coerce.number().int().min(1).max(2_147_483_647)
export const Instant = z.iso.datetime({ offset: true })
/** A name ends up in the head of a mail, in the name of a file, on one line of a list: it holds no line break and nothing that cannot be seen. */
const ONE_LINE_PATTERN = /^[^\p{Cc}\u2028\u2029]*$/u
const buildOneLineText = (maxLength: number) =>
  z.string().trim().max(maxLength).regex(ONE_LINE_PATTERN, 'Une seule ligne est attendue, sans caractère de contrôle.')
export const Text = buildOneLineText(200).min(1)
export const OptionalText = buildOneLineText(200)
/** Pictures are served by the product itself: an outside address would tell another host who reads the page, and `//host` is one. */
export const buildImagePathSchema = (example: string) =>
  z.string().regex(/^(?:|(?=.{1,200}$)(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$/, `Chemin attendu, par exemple ${example}.`)
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email())
/** The rule on strength is the server's: it knows the role, the second factor and the list of common passwords. */
export const NewPassword = z.string().min(12).max(1024)
export const Version = z.int().min(1)
/** A switch in a query string: `true`, `false` or absent. */
export const Flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const SuccessReply = z.object({ success: z.literal(true) })

/** Bytes as WebAuthn writes them. */
export const Base64Url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]+$/, 'Des octets en base64url sont attendus.')

/** Pasted with or without spaces; empty where a person has none. */
export const Siren = z
  .string()
  .transform((value) => value.replace(/\s/g, ''))
  .refine((value) => value === '' || /^\d{9}$/.test(value), 'Un SIREN compte neuf chiffres, par exemple 552 081 317.')
export const Prm = z
  .string()
  .transform((value) => value.replace(/[\s.-]/g, ''))
  .refine((value) => /^\d{14}$/.test(value), 'Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.')
/** A point by its id, or by the number that stands on the bill; both are looked for inside the company. */
export const PointRef = z.union([Id, z.string().regex(/^\d{14}$/)])
/** A local day in Europe/Paris. */
export const Day = z.iso.date()
/** Half-open: `to` is the first day that is no longer meant. */
export const Period = z.object({ from: Day, to: Day })
/** A word or two that a company puts on its participants. */
export const Tag = buildOneLineText(40).min(1)
export const OptionalEmail = z.union([z.literal(''), Email], 'Adresse e-mail attendue, par exemple nom@exemple.fr.')
export const Address = z.string().trim().max(500)
export const PostalCode = z
  .string()
  .trim()
  .refine((value) => value === '' || /^\d{5}$/.test(value), 'Un code postal compte cinq chiffres, par exemple 69003.')
export const Latitude = z.number().min(-90).max(90).nullable()
/** How well a place is known: by its address, by its commune alone, or by a pin that somebody set. */
export const Precision = z.enum(['address', 'commune', 'pin'])
export const Longitude = z.number().min(-180).max(180).nullable()
/** Read from a query string: `a,b,c`. */
export const Ids = z
  .string()
  .transform((value) => value.split(',').filter(Boolean))
  .pipe(z.array(Id).max(1000))
/** What a table can be taken away as. */
export const TableFormat = z.enum(['csv', 'xlsx']).default('csv')
/** Exact energy: 60 watt-minutes make one watt-hour. */
export const WattMinutes = z.int()
export const Direction = z.enum(['consumption', 'production'])
export const AllocationMethod = z.enum([
  'static',
  'default',
  'simple',
  'complete',
  'priority',
  'redistributed',
  'equal',
])
export type AllocationMethod = z.infer<typeof AllocationMethod>
export const TimeClass = z.enum(['P', 'HPH', 'HCH', 'HPB', 'HCB'])

/** Days alike, one after the other, and how many steps of each. */
export const Gap = z.object({ from: Day, to: Day, steps: z.int() })

/** A meter that took no part in the sharing for want of readings: over how many steps and days, first to last. */
export const SuspendedMeter = z.object({
  pointId: Id,
  prm: z.string(),
  label: z.string(),
  holder: z.string(),
  direction: Direction,
  /** One direction of a battery. */
  storage: z.boolean().optional(),
  steps: z.int(),
  days: z.int(),
  from: Day,
  to: Day,
})
export type SuspendedMeter = z.infer<typeof SuspendedMeter>

/**
 * What a change of days that were computed already brings along: `shown`, given with its effects by `POST /api/effects`,
 * or from a program, which looks at nothing, the reason why it is made anyway.
 */
export const IMPACT_PREVIEW_FIELDS = {
  shown: z.string().max(100).optional(),
  anyway: z.string().trim().min(10, 'Dites pourquoi en quelques mots (10 caractères au moins).').max(500).optional(),
}

/** Slashes either way and as many as one likes stand before the host, as browsers and Node read an address. */
const CREDENTIALS_PATTERN = /^[^/\\?#]*:[/\\]*[^/\\?#]*@/
/** Whether an address carries a name or a password before its host. */
export const hasCredentials = (text: string): boolean => CREDENTIALS_PATTERN.test(text)

/** What every list accepts; the names are those of the browser's address bar. */
export const ListQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(25),
  q: z.string().trim().max(200).optional(),
  /** A column, `-` in front for descending. */
  sort: z.string().max(40).optional(),
})
export type ListQuery = z.output<typeof ListQuery>

export const buildPageSchema = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), total: z.int() })
