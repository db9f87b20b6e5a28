import type { Booking } from '@voisol/contract/bookings'
import { tableFile } from '../../../files/table-file.ts'
import { STATUS_LABELS } from './life-cycle.ts'

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
const moment = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Paris' })

export const bookingsFile = (bookings: Booking[], format: 'csv' | 'xlsx') =>
  tableFile(
    'reservations',
    format,
    HEADER,
    bookings.map((row) => [
      row.reference,
      STATUS_LABELS[row.status],
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
      moment.format(new Date(row.createdAt)),
    ]),
  )
