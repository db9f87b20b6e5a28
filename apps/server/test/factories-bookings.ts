import { randomBytes } from 'node:crypto'
import { loadSiteOwnerId } from '../src/core/site-company.ts'
import type { Db } from '../src/db/client.ts'
import { bookings, contents, requests } from '../src/db/schema/index.ts'

let count = 0
const CONTACT_FIELDS = { firstName: 'Zoé', lastName: 'Lefèvre', phone: '', company: 'Copropriété du Parc' }

/** A booking at its own hour, a year ahead by default. */
export async function makeBooking(db: Db, more: Partial<typeof bookings.$inferInsert> = {}) {
  const startsAt = more.startsAt ?? new Date(Date.now() + 365 * 86_400_000 + ++count * 3_600_000)
  const slot = { startsAt, day: startsAt.toISOString().slice(0, 10), time: '09:30' }
  const what = { projectType: 'Autre', message: '', status: 'booked', email: 'zoe@exemple.fr' }
  const reference = `D-${randomBytes(6).toString('hex').toUpperCase()}`
  const [row] = await db
    .insert(bookings)
    .values({ companyId: await loadSiteOwnerId(db), reference, ...slot, ...CONTACT_FIELDS, ...what, ...more })
    .returning()
  if (!row) throw new Error('no booking')
  return row
}

export async function makeRequest(db: Db, more: Partial<typeof requests.$inferInsert> = {}) {
  const fingerprint = randomBytes(16).toString('hex')
  const what = { kind: 'contact', subject: 'tarifs', message: 'Combien coûte Voisol ?', email: 'zoe@exemple.fr' }
  const [row] = await db
    .insert(requests)
    .values({ companyId: await loadSiteOwnerId(db), fingerprint, ...CONTACT_FIELDS, ...what, ...more })
    .returning()
  if (!row) throw new Error('no request')
  return row
}

/** Published content, as a test of requests needs it. */
export async function makeRequestableContent(
  db: Db,
  kind: 'webinar' | 'white-paper',
  more: Record<string, unknown> = {},
) {
  const slug = `${kind}-${++count}`
  const draft = {
    title: 'Partager son toit',
    slug,
    summary: 'En bref.',
    category: '',
    author: 'Voisol',
    position: 100,
    body: '## Comprendre\n\nUn toit, plusieurs voisins.',
    imageId: null,
    imageAlt: '',
    startsAt: null,
    minutes: null,
    speaker: '',
    joinUrl: '',
    ...more,
  }
  const state = { status: 'published', draft, live: draft, publishedAt: new Date(), liveAt: new Date() }
  await db.insert(contents).values({ companyId: await loadSiteOwnerId(db), kind, slug, ...state, updatedBy: 'Voisol' })
  return slug
}
