import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, day, instant, place, version } from './columns.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

/** A person or an organisation that takes part in operations. */
export const participants = pgTable(
  'participants',
  {
    ...ownerColumns(),
    kind: text('kind').notNull(),
    /** What lists show: first and last name, or the organisation's. */
    name: text('name').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    siren: text('siren').notNull().default(''),
    email: text('email').notNull().default(''),
    phone: text('phone').notNull().default(''),
    address: text('address').notNull().default(''),
    postalCode: text('postal_code').notNull().default(''),
    city: text('city').notNull().default(''),
    /** The account that reads the portal in this participant's name. */
    userId: uuid('user_id').references(() => users.id),
    iban: text('iban'),
    ibanEnd: text('iban_end').notNull().default(''),
    /** Written before mandates had a place of their own: taken over by them, then empty. */
    mandateReference: text('mandate_reference').notNull().default(''),
    mandateSignedOn: day('mandate_signed_on'),
    notes: text('notes').notNull().default(''),
    /** Words of the company's own, to find people again: « bâtiment B », « à rappeler ». */
    tags: text('tags').array().notNull().default([]),
    /** Since when somebody wants it forgotten, and when it was: of the person nothing is left here but sums. */
    erasureAskedOn: day('erasure_asked_on'),
    erasedOn: day('erased_on'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('participants_user').on(t.companyId, t.userId),
    index('participants_tags').using('gin', t.tags),
  ],
)

/** A point of delivery seen in one direction: what it draws, or what it injects. */
export const points = pgTable(
  'points',
  {
    ...ownerColumns(),
    prm: text('prm').notNull(),
    direction: text('direction').notNull(),
    label: text('label').notNull().default(''),
    segment: text('segment').notNull(),
    subscribedVa: integer('subscribed_va'),
    /** Peak power of the plant behind a point of injection. */
    peakWatts: integer('peak_watts'),
    azimuth: integer('azimuth'),
    tilt: integer('tilt'),
    commissionedOn: day('commissioned_on'),
    address: text('address').notNull().default(''),
    ...place(),
    /** One direction of a battery: what it charges, or what it releases. */
    storage: boolean('storage').notNull().default(false),
    /** How the place is known: by its address, by its commune alone, or by a pin on the map. */
    precision: text('precision').notNull().default('address'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    check('points_precision', sql`${t.precision} in ('address', 'commune', 'pin')`),
    uniqueIndex('points_prm').on(t.companyId, t.prm, t.direction),
    check('points_prm_digits', sql`${t.prm} ~ '^[0-9]{14}$'`),
  ],
)

/** A point of a participant in an operation, from one day to another. A point is in one operation at a time. */
export const participations = pgTable(
  'participations',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    participantId: uuid('participant_id').notNull(),
    pointId: uuid('point_id').notNull(),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on'),
    /** When the distributor was told of the entry or exit. */
    noticeOn: day('notice_on'),
    agreementSignedOn: day('agreement_signed_on'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.pointId], foreignColumns: [points.companyId, points.id] }),
    /** Who takes part in which operation, in order, and until when: ten thousand are counted without their rows. */
    index('participations_holder').on(t.companyId, t.operationId, t.participantId, t.endsOn),
    index('participations_participant').on(t.companyId, t.participantId),
    index('participations_point').on(t.companyId, t.pointId),
    check('participations_order', sql`${t.endsOn} is null or ${t.endsOn} > ${t.startsOn}`),
  ],
)

/** One yes for one purpose; a withdrawal ends it, a renewal is another one. */
export const consents = pgTable(
  'consents',
  {
    ...ownerColumns(),
    participantId: uuid('participant_id').notNull(),
    purpose: text('purpose').notNull(),
    textVersion: text('text_version').notNull(),
    method: text('method').notNull(),
    givenAt: instant('given_at').notNull(),
    expiresOn: day('expires_on').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    /** Who recorded it, and from where. */
    recordedBy: text('recorded_by').notNull(),
    ip: text('ip').notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    index('consents_participant').on(t.companyId, t.participantId, t.purpose),
  ],
)
