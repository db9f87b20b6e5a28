import { bigint, customType, date, doublePrecision, integer, timestamp } from 'drizzle-orm/pg-core'

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const createdAt = () => instant('created_at').notNull().defaultNow()
/** Counts the saves of a record: an update that names an older one is refused. */
export const version = () => integer('version').notNull().default(1)
export const bigNumber = (name: string) => bigint(name, { mode: 'number' })
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
/** A local day, as it is written: 2026-03-29. */
export const day = (name: string) => date(name, { mode: 'string' })
export const place = () => ({ latitude: doublePrecision('latitude'), longitude: doublePrecision('longitude') })
