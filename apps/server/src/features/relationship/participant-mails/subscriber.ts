import type { EventData } from '@voisol/contract/events'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { consentsOf } from '../../energy/consents/consents.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { askedWords, endingWords, welcomeWords } from './words.ts'
import { ABOUT, readerOf, writeTo } from './write-to.ts'

/** Events are kept for good: what is heard long after it happened is no news to anybody. */
const FRESH_MS = 7 * 86_400_000
/** The organiser hears of it at sixty days; whoever agreed, when it is time to act. */
const FIRST_WARNING = 30

type Told = Heard<'invitation.accepted' | 'consent.asked' | 'expiry.approached'>

/** Once, to whoever has the portal alone: colleagues of the organiser know where they are. */
async function welcome(tx: Db, deps: Deps, { companyId, at }: Told, { userId }: EventData<'invitation.accepted'>) {
  const [person] = await tx
    .select({ firstName: users.firstName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.userId, userId),
        eq(memberships.role, 'client'),
        isNotNull(memberships.acceptedAt),
        isNull(memberships.disabledAt),
      ),
    )
  if (!person) return
  const words = welcomeWords(await readerOf(tx, deps.config, companyId, { ...person, hasAccount: true }))
  await notify(tx, deps, {
    companyId,
    to: [userId],
    at,
    ...ABOUT,
    ...words,
    type: 'success',
    priority: 'normal',
    key: 'welcome',
  })
}

/** Said meanwhile, it is not asked for again. */
async function ask(tx: Db, deps: Deps, { companyId, at, id }: Told, { participantId }: EventData<'consent.asked'>) {
  const given = await consentsOf(tx, companyId, [participantId])
  if (given.some(({ purpose, state }) => purpose === 'collection' && state === 'valid')) return
  await writeTo(tx, deps, { companyId, participantId, at, key: `consent-asked ${id}` }, askedWords)
}

/** Of the consent that still holds: one renewed or taken back meanwhile ends nothing. */
async function warn(tx: Db, deps: Deps, { companyId, at }: Told, data: EventData<'expiry.approached'>) {
  const { kind, id, participantId, on, left, warning } = data
  if (kind !== 'consent' || warning > FIRST_WARNING) return
  const ending = (await consentsOf(tx, companyId, [participantId])).filter(({ state }) => state === 'expiring')
  if (!ending.some((one) => one.id === id)) return
  const others = ending.filter((one) => one.id !== id && one.expiresOn <= on).map(({ purpose }) => purpose)
  const message = { companyId, participantId, at, key: `consent-ending ${id} ${warning}` }
  await writeTo(tx, deps, message, (reader) => endingWords(reader, { on, left, others }))
}

export const participantMailSubscriber = subscriber({
  name: 'participant-mails',
  on: ['invitation.accepted', 'consent.asked', 'expiry.approached'],
  async handle(tx, deps, event) {
    if (Date.now() - event.at.getTime() > FRESH_MS) return
    if (event.name === 'invitation.accepted') return welcome(tx, deps, event, event.data)
    if (event.name === 'consent.asked') return ask(tx, deps, event, event.data)
    return warn(tx, deps, event, event.data)
  },
})
