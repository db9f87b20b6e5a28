import type { Booking } from '@voisol/contract/bookings'
import { buildTableFile } from '../../../files/table-file.ts'
import { BOOKING_STATUS_LABELS } from './life-cycle.ts'

const HEADER = [
  'Référence',
  'État',
  'Jour',
  'Heure',
  'Prénom',
  'Nom',
  'E-mail',
  'Téléphone',
  'Entreprise',
  'Type de projet',
  'Message',
  'Visioconférence',
  'Note',
  'Réservée le',
]
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})

export const buildBookingsFile = (bookings: Booking[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'reservations',
    format,
    HEADER,
    bookings.map((row) => [
      row.reference,
      BOOKING_STATUS_LABELS[row.status],
      row.day,
      row.time,
      row.firstName,
      row.lastName,
      row.email,
      row.phone,
      row.company,
      row.projectType,
      row.message,
      row.meetingUrl,
      row.note,
      DATE_TIME_FORMAT.format(new Date(row.createdAt)),
    ]),
  )
