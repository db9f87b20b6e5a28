import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, place, version } from './columns.ts'
import { ownerColumns } from './owned.ts'

/** A collective self-consumption operation. */
export const operations = pgTable(
  'operations',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    /** ACC and eight digits, once the distributor has given it. */
    accNumber: text('acc_number'),
    status: text('status').notNull(),
    description: text('description').notNull().default(''),
    pmoName: text('pmo_name').notNull().default(''),
    pmoSiren: text('pmo_siren').notNull().default(''),
    address: text('address').notNull().default(''),
    postalCode: text('postal_code').notNull().default(''),
    city: text('city').notNull().default(''),
    ...place(),
    perimeter: text('perimeter').notNull().default('extended'),
    zone: text('zone').notNull().default('metropole'),
    /** Declared peak power; that of the producers' points counts once they are known. */
    capacityWatts: bigNumber('capacity_watts').notNull().default(0),
    stepMinutes: integer('step_minutes').notNull().default(15),
    startsOn: day('starts_on'),
    endsOn: day('ends_on'),
    surplusBuyer: text('surplus_buyer').notNull().default(''),
    /** 1/10 000 of a euro per kWh, before tax. */
    unitPrice: integer('unit_price'),
    vatMode: text('vat_mode').notNull().default('standard'),
    /** Off-peak hours and peak class of the time classes. */
    timeCalendar: jsonb('time_calendar')
      .notNull()
      .default({ offPeak: [[1320, 360]], peak: false }),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('operations_acc_number').on(t.companyId, t.accNumber).where(sql`${t.accNumber} is not null`),
  ],
)
