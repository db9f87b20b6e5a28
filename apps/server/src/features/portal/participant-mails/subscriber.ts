import type { EventData } from '@voisol/contract/events'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { loadConsents } from '../../energy/consents/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import {
  ACCOUNT_CATEGORY,
  buildConsentEndingMail,
  buildConsentRequestMail,
  buildWelcomeMail,
  loadMailReader,
  sendParticipantMail,
} from './write-participant-mail.ts'

/** Events are stored for ever: one handled long after it happened must not send a mail. */
const MAX_EVENT_AGE_MS = 7 * 86_400_000
/** The organiser is notified sixty days before; the participant, when it is time to act. */
const FIRST_WARNING_DAYS = 30

type HandledEvent = SubscribedEvent<'invitation.accepted' | 'consent.asked' | 'expiry.approached'>

/** Welcomes once the users who only have the portal; colleagues of the organiser need no welcome. */
async function sendWelcome(
  tx: Db,
  deps: Deps,
  { companyId, at }: HandledEvent,
  { userId }: EventData<'invitation.accepted'>,
) {
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
  const words = buildWelcomeMail(await loadMailReader(tx, deps.config, companyId, { ...person, hasAccount: true }))
  await notify(tx, deps, {
    companyId,
    to: [userId],
    at,
    ...ACCOUNT_CATEGORY,
    ...words,
    type: 'success',
    priority: 'normal',
    key: 'welcome',
  })
}

/** A consent given meanwhile is not requested again. */
async function sendConsentRequest(
  tx: Db,
  deps: Deps,
  { companyId, at, id }: HandledEvent,
  { participantId }: EventData<'consent.asked'>,
) {
  const given = await loadConsents(tx, companyId, [participantId])
  if (given.some(({ purpose, state }) => purpose === 'collection' && state === 'valid')) return
  await sendParticipantMail(
    tx,
    deps,
    { companyId, participantId, at, key: `consent-asked ${id}` },
    buildConsentRequestMail,
  )
}

/** Warns about the current consent only: one renewed or withdrawn meanwhile has no expiry. */
async function sendConsentWarning(
  tx: Db,
  deps: Deps,
  { companyId, at }: HandledEvent,
  data: EventData<'expiry.approached'>,
) {
  const { kind, id, participantId, on, left, warning } = data
  if (kind !== 'consent' || warning > FIRST_WARNING_DAYS) return
  const ending = (await loadConsents(tx, companyId, [participantId])).filter(({ state }) => state === 'expiring')
  if (!ending.some((one) => one.id === id)) return
  const others = ending.filter((one) => one.id !== id && one.expiresOn <= on).map(({ purpose }) => purpose)
  const message = { companyId, participantId, at, key: `consent-ending ${id} ${warning}` }
  await sendParticipantMail(tx, deps, message, (reader) => buildConsentEndingMail(reader, { on, left, others }))
}

export const participantMailSubscriber = defineSubscriber({
  name: 'participant-mails',
  on: ['invitation.accepted', 'consent.asked', 'expiry.approached'],
  async handle(tx, deps, event) {
    if (Date.now() - event.at.getTime() > MAX_EVENT_AGE_MS) return
    if (event.name === 'invitation.accepted') return sendWelcome(tx, deps, event, event.data)
    if (event.name === 'consent.asked') return sendConsentRequest(tx, deps, event, event.data)
    return sendConsentWarning(tx, deps, event, event.data)
  },
})
