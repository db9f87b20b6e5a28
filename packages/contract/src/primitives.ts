import { z } from 'zod'
import './french.ts'

export const Id = z.uuid()
/** Companies are numbered: their id stands in addresses such as /companies/1/operations. */
export const CompanyId = z.coerce.number().int().min(1).max(2_147_483_647)
export const Instant = z.iso.datetime({ offset: true })
export const Text = z.string().trim().min(1).max(200)
export const OptionalText = z.string().trim().max(200)
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email())
/** The rule on strength is the server's: it knows the role, the second factor and the list of common passwords. */
export const NewPassword = z.string().min(12).max(1024)
export const Version = z.int().min(1)
/** A switch in a query string: `true`, `false` or absent. */
export const Flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const Done = z.object({ success: z.literal(true) })
export const Role = z.enum(['admin', 'client'])
