import type { BookingStatus } from '@voisol/contract/bookings'
import type { RequestKind, RequestStatus } from '@voisol/contract/requests'
import { addDays } from '@voisol/energy/calendar'
import { loadSiteOwnerId } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import { generateBookingReference, getSlotStart, isWorkingDay } from '../../site/bookings/bookings.ts'
import { storeRequest } from '../../site/requests/requests.ts'

type Visitor = { firstName: string; lastName: string; email: string; company: string }
const toVisitor = (firstName: string, lastName: string, email: string, company: string): Visitor => ({
  firstName,
  lastName,
  email,
  company,
})
const MARTINEZ = toVisitor('Hélène', 'Martinez', 'h.martinez@syndic-rive-gauche.example', 'Syndic Rive Gauche')
const BENALI = toVisitor('Karim', 'Benali', 'k.benali@mairie-des-coteaux.example', 'Mairie des Coteaux')
const LEFEBVRE = toVisitor('Agathe', 'Lefebvre', 'agathe.lefebvre@bois-et-metal.example', 'Bois & Métal')
const NGUYEN = toVisitor('Minh', 'Nguyen', 'minh.nguyen@bailleur-du-lac.example', 'Bailleur du Lac')

/** Working days before (negative) or after the day the demo was built. */
const DEMO_BOOKINGS: [number, string, BookingStatus, Visitor, string, string][] = [
  [-4, '10:00', 'done', NGUYEN, 'Autre', 'Deux résidences de 60 logements, toitures plates.'],
  [-2, '15:30', 'no-show', LEFEBVRE, 'Site industriel', ''],
  [2, '09:30', 'confirmed', BENALI, 'Collectivité locale', 'L’école et la mairie sont à 400 m l’une de l’autre.'],
  [
    2,
    '14:00',
    'booked',
    MARTINEZ,
    'Copropriété résidentielle',
    'Assemblée générale en mars\u00a0: que faut-il voter\u00a0?',
  ],
  [4, '11:00', 'booked', LEFEBVRE, 'Site industriel', 'Nouvelle date après notre rendez-vous manqué.'],
]
const DEMO_REQUESTS: [number, RequestKind, RequestStatus, Visitor, string, string][] = [
  [
    1,
    'contact',
    'new',
    BENALI,
    'Parler d’un projet',
    'Bonjour, nous cherchons un accompagnement pour trois bâtiments.',
  ],
  [2, 'white-paper', 'closed', MARTINEZ, 'Choisir sa clé de répartition', ''],
  [3, 'webinar', 'closed', NGUYEN, 'Des données fiables, de la mesure au partage', ''],
  [
    6,
    'contact',
    'answered',
    LEFEBVRE,
    'Les tarifs et l’offre Enterprise',
    'Combien pour 12 sites et 300 points\u00a0?',
  ],
]

/** Adds a number of working days, possibly negative, to a date. */
function addWorkingDays(from: string, away: number): string {
  const step = Math.sign(away)
  let [day, left] = [from, Math.abs(away)]
  while (left > 0) {
    day = addDays(day, step)
    if (isWorkingDay(day)) left -= 1
  }
  return day
}

/**
 * Adds bookings and requests of site visitors, so that the site's lists are not empty; the demo company owns the site.
 */
export async function addVisitors(tx: Db, companyId: number, anchor: string): Promise<void> {
  if (companyId !== (await loadSiteOwnerId(tx))) return
  for (const [away, time, status, visitor, projectType, message] of DEMO_BOOKINGS) {
    const day = addWorkingDays(anchor, away)
    const startsAt = new Date(getSlotStart(day, time).epochMilliseconds)
    const meetingUrl = status === 'confirmed' ? 'https://visio.voisol.fr/demonstration' : ''
    const values = { companyId, status, startsAt, day, time, phone: '', projectType, message, meetingUrl, ...visitor }
    await tx
      .insert(bookings)
      .values({ ...values, reference: generateBookingReference() })
      .onConflictDoNothing()
  }
  for (const [ago, kind, status, visitor, subject, message] of DEMO_REQUESTS) {
    const createdAt = new Date(getSlotStart(addDays(anchor, -ago), '10:12').epochMilliseconds)
    await storeRequest(tx, { kind, status, subject, message, createdAt, ...visitor }, ['demo'])
  }
}
