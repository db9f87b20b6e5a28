import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Day, Email, Id, Instant, ListQuery, TableFormat, Text, Version } from './primitives.ts'

export const BOOKING_SLOTS = [
  '09:00',
  '09:30',
  '10:00',
  '10:30',
  '11:00',
  '11:30',
  '14:00',
  '14:30',
  '15:00',
  '15:30',
  '16:00',
  '16:30',
  '17:00',
] as const
export const DEMO_MINUTES = 30
export const BOOKABLE_DAYS = 60
export const PROJECT_TYPES = [
  'Copropriété résidentielle',
  'ZAC / Éco-quartier',
  'Site industriel',
  'Collectivité locale',
  'Autre',
] as const

export const BookingStatus = z.enum(['booked', 'confirmed', 'done', 'no-show', 'cancelled'])
export type BookingStatus = z.infer<typeof BookingStatus>
export const Time = z.enum(BOOKING_SLOTS, 'Heure attendue parmi les créneaux proposés, par exemple 09:30.')
const ProjectType = z.enum(PROJECT_TYPES, 'Choisissez un type de projet dans la liste.')
export const Phone = z
  .string()
  .trim()
  .max(30)
  .refine((value) => value === '' || /^[+\d][\d\s().-]{5,}$/.test(value), 'Numéro attendu, par exemple 06 12 34 56 78.')

/** The field names are those of the documented API and cannot change. */
export const BookingRequest = z.strictObject({
  firstName: Text,
  lastName: Text,
  email: Email,
  phone: Phone.default(''),
  company: Text,
  projectType: ProjectType,
  message: z.string().trim().max(2000).default(''),
  /** The requested day, as an instant or a day; `time` gives the hour, in Paris. */
  date: z.union([Instant, Day], 'Date attendue, par exemple 2026-03-12T00:00:00.000Z.'),
  time: Time,
})
export type BookingRequest = z.infer<typeof BookingRequest>

export const Booking = z.object({
  id: Id,
  /** Short name of the booking in mails. */
  reference: z.string(),
  status: BookingStatus,
  startsAt: Instant,
  day: Day,
  time: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  company: z.string(),
  projectType: z.string(),
  message: z.string(),
  /** Where the demonstration takes place; mailed when the booking is confirmed. */
  meetingUrl: z.string(),
  note: z.string(),
  createdAt: Instant,
  version: z.int(),
})
export type Booking = z.infer<typeof Booking>

const BookingFilters = z.object({
  status: BookingStatus.optional(),
  from: Day.optional(),
  /** The first day not included. */
  to: Day.optional(),
})
const idParams = z.object({ id: Id })
const MeetingUrl = z.union([
  z.literal(''),
  z.url({ protocol: /^https$/, error: 'Adresse de visioconférence attendue en https://.' }),
])

export const bookings = {
  create: defineEndpoint({
    method: 'POST',
    path: '/api/bookings/create',
    access: 'public',
    summary: 'Réserver une démonstration',
    body: BookingRequest,
    response: z.object({ success: z.literal(true), message: z.string(), reference: z.string() }),
  }),
  slots: defineEndpoint({
    method: 'GET',
    path: '/api/bookings/slots',
    access: 'public',
    summary: 'Lire les créneaux de démonstration',
    response: z.object({
      /** Every day that can be booked, with its free hours. */
      days: z.array(z.object({ day: Day, free: z.array(z.string()) })),
      from: Day,
      to: Day,
    }),
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/bookings',
    access: { permission: 'bookings.read' },
    summary: 'Lister les réservations',
    query: ListQuery.extend(BookingFilters.shape),
    response: buildPageSchema(Booking),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/bookings/export',
    access: { permission: 'bookings.read' },
    summary: 'Exporter les réservations',
    query: ListQuery.extend({ ...BookingFilters.shape, format: TableFormat }),
    response: { file: 'text/csv' },
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/bookings/:id',
    access: { permission: 'bookings.read' },
    summary: 'Ouvrir une réservation',
    params: idParams,
    response: Booking,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/bookings/:id',
    access: { permission: 'bookings.write' },
    summary: 'Changer l’état d’une réservation',
    params: idParams,
    body: z.strictObject({
      version: Version,
      status: BookingStatus.optional(),
      meetingUrl: MeetingUrl.optional(),
      note: z.string().trim().max(2000).optional(),
    }),
    response: Booking,
  }),
  move: defineEndpoint({
    method: 'POST',
    path: '/api/bookings/:id/move',
    access: { permission: 'bookings.write' },
    summary: 'Déplacer une réservation',
    params: idParams,
    body: z.strictObject({ version: Version, day: Day, time: Time }),
    response: Booking,
  }),
  calendar: defineEndpoint({
    method: 'GET',
    path: '/api/bookings/:id/calendar',
    access: { permission: 'bookings.read' },
    summary: 'Télécharger l’événement d’une réservation',
    params: idParams,
    response: { file: 'text/calendar' },
  }),
}
